"""`acesaround learn`: takes a lesson at a table in the terminal, or lists the lessons."""

from __future__ import annotations

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "lesson",
        metavar="LESSON",
        nargs="?",
        help="the lesson to take: `first`, or a variant; without it the lessons are listed",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.lessons import lesson_of, shipped_lessons

    if arguments.lesson is None:
        for name, lesson in shipped_lessons().items():
            sys.stdout.write(f"{name:<24}{lesson.title}, {lesson.minutes} minutes\n")
            sys.stdout.write(f"{'':<24}{lesson.summary}\n")
        sys.stdout.write("\nTake one with `acesaround learn LESSON`.\n")
        return 0
    lesson = lesson_of(arguments.lesson)
    from acesaround import terminal

    return terminal.take_lesson(lesson)
