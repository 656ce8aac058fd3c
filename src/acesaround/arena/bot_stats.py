"""Statistics of a bot: counts of decision times and failures, which can be added up."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from acesaround.errors import Failure

_CLASSES_PER_DOUBLING: Final = 8
"""Classes for each doubling of the time: a percentile is right to within 5%."""
_MIN_SECONDS: Final = 1e-6
_MAX_SENTENCE_LENGTH: Final = 400
"""The maximum length of a stored sentence; the rest is cut off."""


class TimingHistogram(msgspec.Struct, array_like=True):
    """A histogram of times in seconds: their number, sum, maximum, and the counts by class."""

    count: int = 0
    total: float = 0.0
    longest: float = 0.0
    classes: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        """Count one time."""
        seconds = round(seconds, 7)
        self.count += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)
        class_index = math.ceil(
            _CLASSES_PER_DOUBLING * math.log2(max(seconds, _MIN_SECONDS) / _MIN_SECONDS)
        )
        self.classes[class_index] = self.classes.get(class_index, 0) + 1

    def merge(self, other: TimingHistogram) -> None:
        """Add the times of another histogram."""
        self.count += other.count
        self.total += other.total
        self.longest = max(self.longest, other.longest)
        for class_index, class_count in other.classes.items():
            self.classes[class_index] = self.classes.get(class_index, 0) + class_count

    @property
    def mean(self) -> float:
        """The mean, or 0 without any times."""
        return self.total / max(self.count, 1)

    def quantile(self, fraction: float) -> float:
        """Return the time that a share of all times does not exceed, within 5%; 0 without times."""
        counted = 0
        for class_index in sorted(self.classes):
            counted += self.classes[class_index]
            if counted >= fraction * self.count:
                return min(
                    _MIN_SECONDS * 2 ** ((class_index - 0.5) / _CLASSES_PER_DOUBLING), self.longest
                )
        return 0.0


class FailureCount(msgspec.Struct):
    """How often a bot failed in one way, and the message of the first failure."""

    count: int
    first: str


class BotStats(msgspec.Struct):
    """The statistics of one bot: times by kind of decision, and failures by `Failure`.

    `own_decisions`: how many decisions were the bot's own.
    """

    times: dict[str, TimingHistogram] = msgspec.field(name="clocks", default_factory=dict)
    failures: dict[str, FailureCount] = msgspec.field(name="faults", default_factory=dict)
    own_decisions: int = msgspec.field(name="decided", default=0)

    @property
    def always_failed(self) -> bool:
        """Whether the bot has failed in every decision."""
        return bool(self.failures) and not self.own_decisions

    def record_decision(self, kind: str, seconds: float) -> None:
        """Count a decision."""
        self.times.setdefault(kind, TimingHistogram()).add(seconds)

    def record_failure(self, failure: Failure, sentence: str) -> None:
        """Count a failure."""
        sentence = " ".join(sentence.split())
        sentence = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in sentence)
        failure_count = self.failures.setdefault(
            failure.name.lower(), FailureCount(0, sentence[:_MAX_SENTENCE_LENGTH])
        )
        failure_count.count += 1

    def merge(self, other: BotStats) -> None:
        """Add the statistics of a later part of the match."""
        self.own_decisions += other.own_decisions
        for kind, clock in other.times.items():
            self.times.setdefault(kind, TimingHistogram()).merge(clock)
        for failure, failure_count in other.failures.items():
            self.failures.setdefault(
                failure, FailureCount(0, failure_count.first)
            ).count += failure_count.count
