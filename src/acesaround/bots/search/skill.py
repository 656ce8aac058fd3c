"""What searching wins in the play beyond rules of thumb, by which contracts are played out.

Imagined play goes by rules of thumb on all sides, so that the own side would seem to make too few
bids and to set too few. How much more it wins is measured (`skill.json`, by `bench/distil.py`): a
part of the points in play, for the side that searches, as declarer's and as another. Where each
bids once it is left out: bids in seven-card that counted on it lost 0.5 points a deal.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from acesaround.fast.playouts.flat import Integers
from acesaround.fast.trials.deals import PLAYED, Contracts
from acesaround.rules import Rules
from acesaround.scoring import most_in_play


class Skill(NamedTuple):
    """Parts of the points in play."""

    declares: float
    defends: float


@cache
def skills() -> dict[str, Skill]:
    """By variant."""
    text = (files(__package__) / "skill.json").read_text(encoding="utf-8")
    return {variant: Skill(*parts) for variant, parts in json.loads(text).items()}


def skilled(rules: Rules, players: tuple[int, ...], me: int, found: Contracts) -> Contracts:
    """Contracts as they end where the side of player `me` searches.

    Points move between the declarer's side and the others, in equal parts; none is won out of
    nothing, and who wins no point by rules of thumb still wins none.
    """
    skill = skills().get(rules.variant)
    if skill is None:
        return found
    sides = [rules.side_of(seat) for seat in players]
    most, others = most_in_play(rules, len(players)), len(set(sides)) - 1
    ends = found.ends.copy()
    for player, side in enumerate(sides):
        share = skill.declares if side == sides[me] else -skill.defends
        play: Integers = ends[:, player, :, PLAYED].copy()
        rest = play.sum(1) - play[:, side]
        more = np.clip(round(share * most), -play[:, side], rest)
        more[play[:, side] == 0] = 0
        ends[:, player, side, PLAYED] += more
        for other in set(sides) - {side}:
            part = more * play[:, other] // np.maximum(rest, 1) if others > 1 else more
            ends[:, player, other, PLAYED] -= part
    return Contracts(found.trump, ends)
