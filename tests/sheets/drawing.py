"""Write random rule sheets that every bot can play: `python -m tests.sheets.drawing SEED FOLDER`.

The ten in `bench/strength/houses` were made so. They are stored, because the rules of a seed
change with every new field. Each sheet differs from its base in at least `_MIN_CHANGES` values;
from the stored ones, values without effect were removed later.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Final

import msgspec

from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.sheets import change_sentences, write
from acesaround.variants import VARIANTS
from tests.sheets.random_sheets import random_rules

_MIN_CHANGES: Final = 4
_SHEET_COUNT: Final = 10


def draw_rules(seed: int, number: int = _SHEET_COUNT) -> list[Rules]:
    """Return so many random rules."""
    rng, found = random.Random(seed), list[Rules]()
    while len(found) < number:
        rules = random_rules(rng)
        changes = list(change_sentences(rules, VARIANTS[rules.base]))
        if why_unsupported(rules, Feature.SEARCH) is None and len(changes) >= _MIN_CHANGES:
            title = f"House {len(found) + 1}"
            found.append(msgspec.structs.replace(rules, title=title, description="", author=""))
    return found


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for place, rules in enumerate(draw_rules(arguments.seed), 1):
        path = arguments.folder / f"house-{place:02}.toml"
        path.write_text(write(rules, VARIANTS), encoding="utf-8")


if __name__ == "__main__":
    main()
