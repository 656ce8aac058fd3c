"""A disk cache of hand weights for custom rules, in the folder of the compiled kernels."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from acesaround import heuristic_weights
from acesaround.fast.cache import kernel_cache_folder
from acesaround.fast.calibration import ProgressCallback, measure_hand_weights
from acesaround.fast.jit import COMPILED
from acesaround.heuristic_weights import HandWeights
from acesaround.rules import Rules


def ensure_hand_weights(rules: Rules, on_progress: ProgressCallback | None = None) -> None:
    """Make sure that the rules have hand weights: shipped, cached, or measured now in seconds.

    Rules without an auction need none. Without compiled kernels it measures nothing, because that
    would take hours. `on_progress` receives progress. Raises RulesError for rules that kernels
    cannot play.
    """
    if not COMPILED or not heuristic_weights.lacks_measured_weights(rules):
        return
    path = _cache_path(rules)
    weights = None if path is None else _read_weights(path)
    if weights is None:
        weights = measure_hand_weights(rules, on_progress=on_progress)
        if path is not None:
            _write_weights(path, weights)
    heuristic_weights.set_learned_weights(rules, weights)


def _cache_path(rules: Rules) -> Path | None:
    """Return the cache file for the rules, or None if no cache folder can be written."""
    cache_folder = kernel_cache_folder("rollouts")
    if cache_folder is None:
        return None
    key_bytes = msgspec.json.encode(heuristic_weights.bidding_key(rules))
    return cache_folder / f"gauge-{hashlib.sha256(key_bytes).hexdigest()[:32]}.json"


def _read_weights(path: Path) -> HandWeights | None:
    """Return the weights in a file, or None if the file is missing or invalid."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=HandWeights)
    except (OSError, msgspec.DecodeError):
        return None


def _write_weights(path: Path, weights: HandWeights) -> None:
    """Write a file atomically. Errors such as a full disk only cost measuring again."""
    with contextlib.suppress(OSError):
        descriptor, temporary_path = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(weights))
        os.replace(temporary_path, path)
