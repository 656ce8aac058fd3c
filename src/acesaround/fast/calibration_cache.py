"""A disk cache of hand weights for custom rules, in the folder of the compiled kernels."""

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
    """Make sure that the rules have hand weights: shipped, cached, or measured now in seconds.

    Rules without an auction need none. Without compiled kernels nothing is measured, because that
    would take hours. `told` receives progress. Raises RulesError for rules that kernels cannot
    play.
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
    """Return the cache file for the rules, or None if no cache folder can be written."""
    kernels = folder("rollouts")
    if kernels is None:
        return None
    said = msgspec.json.encode(heuristic_weights.bid_alike(rules))
    return kernels / f"gauge-{hashlib.sha256(said).hexdigest()[:32]}.json"


def _kept(place: Path) -> HandWeights | None:
    """Return the weights in a file, or None if the file is missing or invalid."""
    try:
        return msgspec.json.decode(place.read_bytes(), type=HandWeights)
    except (OSError, msgspec.DecodeError):
        return None


def _keep(place: Path, its: HandWeights) -> None:
    """Write a file atomically. Errors such as a full disk only cost measuring again."""
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=place.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(its))
        os.replace(name, place)
