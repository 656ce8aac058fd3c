"""Pooling the results of one match on several seeds into one result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

_INTERVAL: Final = 1.96
"""Half a 95% interval, in standard errors."""

Result = dict[str, Any]
"""The output of `acesaround arena --json`, as far as it is read here."""


def pooled(results: Sequence[Result]) -> Result:
    """Return the pooled result: means weighted by boards, seeds treated as independent matches."""
    first, boards = results[0], [result["boards"] for result in results]
    return {
        "seatings": first["seatings"],
        "deals": sum(result["deals"] for result in results),
        "in_play": first["in_play"],
        "points": {
            "difference": _estimate([one["points"]["difference"] for one in results], boards)
        },
        "of_play": {
            "difference": _estimate([one["of_play"]["difference"] for one in results], boards)
        },
        "games": None if first["games"] is None else _games([one["games"] for one in results]),
        "a": {"times": _times([one["a"]["times"].get("play") for one in results])},
    }


def _estimate(parts: Sequence[dict[str, float]], weights: Sequence[float]) -> dict[str, float]:
    total = math.fsum(weights)
    return {
        "value": math.fsum(w * part["value"] for part, w in zip(parts, weights, strict=True))
        / total,
        "error": math.hypot(
            *(w * (part["error"] or 0.0) for part, w in zip(parts, weights, strict=True))
        )
        / total,
    }


def _games(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the pooled games with a Wilson interval for the effective number of games.

    The effective number is the number of independent games that would give as narrow intervals as
    the seeds' results have.
    """
    a, b = sum(part["a"] for part in parts), sum(part["b"] for part in parts)
    value, effective_games = a / (a + b), 0.0
    for part in parts:
        half = (part["share"]["high"] - part["share"]["low"]) / 2
        share = part["a"] / (part["a"] + part["b"])
        games = part["a"] + part["b"]
        # Half of Wilson's interval for independent games; the ratio gives the effective number.
        independent_half = _half(share, games)
        effective_games += games * min(1.0, (independent_half / half) ** 2)
    n, z = effective_games, _INTERVAL
    middle, half = (value + z * z / (2 * n)) / (1 + z * z / n), _half(value, n)
    pooled_share = {"value": value, "low": max(0.0, middle - half), "high": min(1.0, middle + half)}
    return {"a": a, "b": b, "share": pooled_share}


def _half(value: float, n: float) -> float:
    z = _INTERVAL
    return z / (1 + z * z / n) * math.sqrt(value * (1 - value) / n + z * z / (4 * n * n))


def _times(parts: Sequence[dict[str, float] | None]) -> dict[str, dict[str, float]]:
    """Return the mean time of all cards, and the largest of the 95% quantiles."""
    found = [part for part in parts if part is not None]
    if not found:
        return {}
    number = sum(part["decisions"] for part in found)
    mean = math.fsum(part["mean"] * part["decisions"] for part in found) / number
    return {"play": {"decisions": number, "mean": mean, "p95": max(p["p95"] for p in found)}}
