"""The C++ study of the solver as a reference, if its source and g++ are available.

The program is compiled into a temporary folder. Its clock is replaced by the processor's, so that
other work on the machine does not count; the readings are printed at the end. The program itself
prints deals, values and node counts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fast_deals import DealKind

SOURCE: Final = "cmp13.cpp"
HEADER: Final = "dds14.hpp"
_TABLE: Final = 24  # log2 of its table's entries of 16 bytes: 256 MB, as ours
# Included first: it loads <chrono>, then redefines `steady_clock` as the processor's clock.
_CLOCK: Final = """
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>
struct Readings {
  std::vector<long long> all;
  ~Readings() { for (long long one : all) std::printf("clock %lld\\n", one); }
};
static Readings readings;
namespace std::chrono {
struct processor_clock {
  using duration = nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = chrono::time_point<processor_clock>;
  static constexpr bool is_steady = true;
  static time_point now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    readings.all.push_back(t.tv_sec * 1000000000LL + t.tv_nsec);
    return time_point(duration(readings.all.back()));
  }
};
}
#define steady_clock processor_clock
"""


class NoStudyError(Exception):
    """The study cannot be run; the message is one sentence with the reason."""


@dataclass(frozen=True)
class Solved:
    """One deal: processor seconds, nodes, and points of side 0 (or a bound, if one was asked)."""

    seconds: float
    nodes: int
    value: int


class Study:
    """The study, compiled into `folder`. Raises NoStudyError."""

    def __init__(self, source: str | None, folder: Path) -> None:
        if not source:
            raise NoStudyError("not at hand")
        where = Path(source).resolve()
        if not (where / SOURCE).is_file():
            raise NoStudyError(f"no {SOURCE} in the folder that was named")
        compiler = shutil.which("g++")
        if compiler is None:
            raise NoStudyError("no g++ to compile it")
        (folder / "clock.hpp").write_text(_CLOCK)
        self._program = folder / "study"
        words = [compiler, "-O3", "-march=native", "-std=c++17", f'-DHDR="{HEADER}"']
        words += ["-include", str(folder / "clock.hpp"), SOURCE, "-o", str(self._program)]
        done = subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoStudyError("it does not compile: " + done.stderr.strip().splitlines()[0])

    def solve(
        self, dealt: DealKind, number: int, seed: int, question: str = "", *, plain: bool = False
    ) -> list[Solved]:
        """Solve the deals of `fast_deals`.

        `question`: "" for the value, `T13` for whether 13 points are reached, `R1` for the values
        of all cards as well. `plain`: use its plain search instead of the one with partitions.
        """
        words = [self._program, dealt.letter, dealt.tricks, number, _TABLE, 1, 1 if plain else 2]
        settings = {"SEED": str(seed), "VERB": "1"} | ({"GUESS": question} if question else {})
        done = subprocess.run(
            [str(word) for word in words],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
        )
        return read(done.stdout, plain=plain)


def read(output: str, *, plain: bool = False) -> list[Solved]:
    """Return the results in the program's output.

    The output has a line of five numbers for each deal, and clock readings before and after it.
    """
    lines = [line.split() for line in output.splitlines()]
    clock = [int(words[1]) for words in lines if words[:1] == ["clock"]]
    values = [
        [int(word) for word in words]
        for words in lines
        if len(words) == 5 and all(word.lstrip("-").isdigit() for word in words)
    ]
    return [
        Solved((after - before) / 1e9, nodes[0 if plain else 1], value if plain else found)
        for (_, value, found, *nodes), before, after in zip(
            values, clock[::2], clock[1::2], strict=True
        )
    ]
