"""Which position comes next: themes that a person misses come more often, solved ones later."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from acesaround.practice.position import Theme

RIGHT_REST_SECONDS: Final = 14 * 24 * 3600
"""How long a position rests after a right answer."""
WRONG_REST_SECONDS: Final = 600
"""How long a position rests after a wrong answer, so that other positions come in between."""
MIN_WEIGHT: Final = 0.1
"""The weight of a theme that a person never misses. One that a person always misses has 1."""
_PRIOR_ANSWERS: Final = 2  # as if a person had been right once and wrong once in each theme


class PastAnswers(NamedTuple):
    """A person's answers to one position. `age_seconds`: the time since the last one."""

    right: int
    wrong: int
    was_right: bool
    age_seconds: float

    @property
    def is_resting(self) -> bool:
        """Whether the position was answered so lately that another one should come."""
        rest = RIGHT_REST_SECONDS if self.was_right else WRONG_REST_SECONDS
        return self.age_seconds < rest


class PracticeItem(NamedTuple):
    """A position that may come next. `is_own`: it is from a game of the person."""

    id: str
    theme: Theme
    is_own: bool = False


def theme_weights(
    answers: Iterable[tuple[Theme, int, int]], themes: Iterable[Theme]
) -> dict[Theme, float]:
    """Return the weight of each theme: the share of wrong answers, but at least `MIN_WEIGHT`.

    `answers`: themes with numbers of right and wrong answers. A few answers count little, because
    each theme begins with a right and a wrong one.
    """
    right = dict.fromkeys(Theme, 0)
    wrong = dict.fromkeys(Theme, 0)
    for theme, right_count, wrong_count in answers:
        right[theme] += right_count
        wrong[theme] += wrong_count
    return {
        theme: max(
            MIN_WEIGHT,
            (wrong[theme] + _PRIOR_ANSWERS / 2) / (right[theme] + wrong[theme] + _PRIOR_ANSWERS),
        )
        for theme in themes
    }


def pick_item(
    items: Sequence[PracticeItem],
    past: Mapping[str, PastAnswers],
    theme_answers: Iterable[tuple[Theme, int, int]],
    rng: random.Random,
) -> PracticeItem | None:
    """Return the position that comes next, or None if there is none.

    `past`: the person's answers by position. `theme_answers`: see `theme_weights`. First a theme is
    drawn by its weight, then a position of it: one from an own game half of the time, if there is
    any. If all positions rest, the one that was answered longest ago comes.
    """
    awake = [item for item in items if item.id not in past or not past[item.id].is_resting]
    if not awake:
        return max(items, key=lambda item: past[item.id].age_seconds, default=None)
    themes = list(dict.fromkeys(item.theme for item in awake))
    weights = theme_weights(theme_answers, themes)
    theme = rng.choices(themes, [weights[one] for one in themes])[0]
    of_theme = [item for item in awake if item.theme is theme]
    own = [item for item in of_theme if item.is_own]
    others = [item for item in of_theme if not item.is_own]
    if own and others:
        return rng.choice(own if rng.random() < 0.5 else others)
    return rng.choice(of_theme)
