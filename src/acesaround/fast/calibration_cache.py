"""What hands are worth under any house's rules: measured once, and kept beside the kernels."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from acesaround import heuristic_weights
from acesaround.fast.cache import folder
from acesaround.fast.calibration import Told, measured
from acesaround.fast.jit import COMPILED
from acesaround.heuristic_weights import HandWeights
from acesaround.rules import Rules


def ready(rules: Rules, told: Told | None = None) -> None:
    """Have the numbers by which hands are judged: shipped, kept, or measured now in seconds.

    Where nobody bids there is nothing to be measured, and where nothing is compiled it would take
    hours. `told`: hears how far it is. Raises RulesError for rules that kernels cannot play.
    """
    if not COMPILED or not heuristic_weights.lacks(rules):
        return
    place = _place(rules)
    its = None if place is None else _kept(place)
    if its is None:
        its = measured(rules, told=told)
        if place is not None:
            _keep(place, its)
    heuristic_weights.learn(rules, its)


def _place(rules: Rules) -> Path | None:
    """The file of a table's numbers; None where nothing can be kept."""
    kernels = folder("rollouts")
    if kernels is None:
        return None
    said = msgspec.json.encode(heuristic_weights.bid_alike(rules))
    return kernels / f"gauge-{hashlib.sha256(said).hexdigest()[:32]}.json"


def _kept(place: Path) -> HandWeights | None:
    """The numbers in a file; None where there are none that can be read."""
    try:
        return msgspec.json.decode(place.read_bytes(), type=HandWeights)
    except (OSError, msgspec.DecodeError):
        return None


def _keep(place: Path, its: HandWeights) -> None:
    """Write a file whole or not at all; a full disk only means to measure again."""
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=place.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(its))
        os.replace(name, place)
