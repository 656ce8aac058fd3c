"""Draw rule sheets by lot that every bot can play: `python -m tests.sheets.drawing SEED FOLDER`.

So the ten in `bench/strength/houses` came about, whose games nobody chose. They are kept, since
what a seed draws changes whenever rules can say more. Each says at least `_LEAST` things that its
base does not.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Final

import msgspec

from acesaround.rules import Rules
from acesaround.rules.support import Feature, why_unsupported
from acesaround.sheets import change_sentences, write
from acesaround.variants import VARIANTS
from tests.sheets.random_sheets import random_rules

_LEAST: Final = 4
_NUMBER: Final = 10


def drawn(seed: int, number: int = _NUMBER) -> list[Rules]:
    """So many games."""
    rng, found = random.Random(seed), list[Rules]()
    while len(found) < number:
        rules = random_rules(rng)
        if why_unsupported(rules, Feature.SEARCH) is None and len(_differs(rules)) >= _LEAST:
            title = f"House {len(found) + 1}"
            found.append(msgspec.structs.replace(rules, title=title, description="", author=""))
    return found


def _differs(rules: Rules) -> list[str]:
    return list(change_sentences(rules, VARIANTS[rules.base]))


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for place, rules in enumerate(drawn(arguments.seed), 1):
        path = arguments.folder / f"house-{place:02}.toml"
        path.write_text(write(rules, VARIANTS), encoding="utf-8")


if __name__ == "__main__":
    main()
