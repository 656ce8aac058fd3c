"""Measure the hand weights of each shipped game, and write them into its folder.

`python bench/measure_hand_weights.py` measures every number of players and every preset with an
auction, some seconds each, and writes `variants/NAME/hand_weights.toml`. With names it does these
games only. Any other rules are measured at the table, by the same function and the same seed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

from acesaround import variants
from acesaround.fast.calibration import measure_hand_weights
from acesaround.heuristic_weights import HandWeights, bidding_key
from acesaround.rules import Rules
from acesaround.variants import HAND_WEIGHTS_FILE, VARIANTS, VARIANTS_FOLDER, presets

HEAD = "# Measured by bench/measure_hand_weights.py; see HandWeights in heuristic_weights.py.\n"


def setups_to_measure(variant: str) -> Iterator[tuple[str, Rules]]:
    """Yield the ways to play a game that need a section each, by name; equal ones once."""
    seen = set()
    for players in VARIANTS[variant].players:
        for name in ("", *presets(variant)):
            options = presets(variant)[name].options if name else {}
            rules = variants.get(variant, players, options)
            if bidding_key(rules) not in seen:
                seen.add(bidding_key(rules))
                yield f"{players} {name}".strip(), rules


def section(name: str, weights: HandWeights) -> str:
    """Return a section of the file: the name of a way to play, and its numbers."""
    return f'["{name}"]\n' + "".join(
        f"{key} = {value:g}\n" for key, value in weights._asdict().items()
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the games and write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(VARIANTS))
    for variant in parser.parse_args(arguments).games:
        if VARIANTS[variant].auction is None:
            continue
        text = HEAD
        for name, rules in setups_to_measure(variant):
            began = time.perf_counter()
            weights = measure_hand_weights(rules)
            print(f"{variant}, {name}: {time.perf_counter() - began:.1f} s", flush=True)
            text += "\n" + section(name, weights)
        (VARIANTS_FOLDER / variant / HAND_WEIGHTS_FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
