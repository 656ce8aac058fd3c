"""Choose the variants that a slow test takes in `make test`. `make soak` takes the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest

from acesaround import variants
from acesaround.rules import Rules

SAMPLED_VARIANTS: Final = frozenset(variants.distinct_variants())
"""One variant of each kind of game."""


def sample_variants(cases: Iterable[Any]) -> list[Any]:
    """Return the parameters of a test. Those of variants outside the sample are marked `soak`.

    A case is the name of a variant, a rules object, or a tuple that begins with one of the two.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[] if _variant_of(case) in SAMPLED_VARIANTS else [pytest.mark.soak],
        )
        for case in cases
    ]


def _variant_of(case: Any) -> str:
    """Return the name of the variant of a case."""
    first = case[0] if isinstance(case, tuple) else case
    return first.variant if isinstance(first, Rules) else str(first)
