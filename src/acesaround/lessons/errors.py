"""The error of a script of a lesson."""

from __future__ import annotations

from acesaround.errors import AcesAroundError


class LessonError(AcesAroundError):
    """A script that is invalid or breaks a rule. The message names the file, the part and the step.

    Raised also for the name of a lesson that does not exist.
    """
