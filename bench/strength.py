"""How strong the bots are: the matches of docs/strength.md, and the tables made of their results.

`python bench/strength.py run [TEXT ...]` plays each match whose name has all of the texts and whose
result is not there yet. What was played of one that is stopped is kept in `unfinished` and gone on
with. `python bench/strength.py page` writes the tables into the page. To have a match played again,
delete its result; one moved to `strength/earlier` stands in its table with a star until then.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "strength"
EARLIER: Final = RESULTS / "earlier"  # of bots that decide otherwise by now
PAGE: Final = HERE.parent / "docs" / "strength.md"
SEED: Final = 2026


class Match(NamedTuple):
    """One match: in which table it stands, and what is asked of the arena."""

    table: str
    variant: str
    a: str
    b: str
    deals: int
    more: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its file."""
        bots = f"{self.a}-{self.b}".replace(":", "_").replace("=", "_")
        return f"{self.table}-{self.variant}-{bots}"

    @property
    def words(self) -> list[str]:
        """The words of the command, after `acesaround`."""
        deals = ["--deals", str(self.deals), "--seed", str(SEED)]
        return ["arena", self.variant, self.a, self.b, *deals, *self.more]


_DEALS: Final = {
    "partnership": 200,
    "three-handed": 150,
    "two-handed": 200,
    "double-deck": 80,
    "double-deck-classic": 80,
    "seven-card": 300,
    "five-card": 400,
}
_GAMES: Final = {"partnership": 1200}
_CARDS: Final = {  # the same contracts for all: only cards are played
    "partnership": 200,
    "three-handed": 60,
    "two-handed": 100,
    "double-deck": 60,
    "double-deck-classic": 60,
    "seven-card": 100,
    "five-card": 200,
}
_ALONE: Final = ("--play-only", "thumb")
_SINGLE: Final = ("--single",)
_LADDER: Final = {"partnership": 800, "two-handed": 300, "three-handed": 600, "double-deck": 150}
_STEPS: Final = (
    ("medium", "easy"),
    ("hard:time=0.02", "medium"),
    ("expert:time=0.02", "hard:time=0.02"),
)
_SOURCES: Final = {"sizes": 150, "voids": 100, "melds": 100, "calls": 100}
_SEARCH: Final = "search:time=0.1"
_QUICK: Final = "search:time=0.03"  # where that is time enough
_HANDS: Final = "clairvoyant:sees=hands"  # another ceiling where cards are drawn in play
_CLEAR: Final = {"partnership", "double-deck", "double-deck-classic"}

MATCHES: Final = (
    *(
        Match("deal", variant, _QUICK if variant in _CLEAR else _SEARCH, "thumb", deals, _SINGLE)
        for variant, deals in _DEALS.items()
    ),
    *(Match("games", variant, _QUICK, "thumb", deals) for variant, deals in _GAMES.items()),
    *(
        Match("cards", variant, bot, "thumb", deals, _ALONE)
        for variant, deals in _CARDS.items()
        for bot in (_SEARCH, "clairvoyant", *([_HANDS] if variant == "two-handed" else []))
    ),
    *(
        Match("inference", "partnership", f"{_QUICK}:inference={source}", _QUICK, deals, _ALONE)
        for source, deals in _SOURCES.items()
    ),
    *(
        Match("depth", "partnership", bot, _QUICK, deals, _ALONE)
        for bot, deals in (
            (f"{_QUICK}:ahead=no", 700),
            (f"{_QUICK}:exact=1", 100),
            ("search:time=0.3", 40),
        )
    ),
    *(
        Match("levels", variant, above, below, deals)
        for above, below in _STEPS
        for variant, deals in _LADDER.items()
    ),
)


def run(texts: list[str], processes: int) -> None:
    """Play what is missing."""
    unfinished = RESULTS / "unfinished"
    unfinished.mkdir(parents=True, exist_ok=True)
    for match in MATCHES:
        path = RESULTS / f"{match.name}.json"
        if path.exists() or not all(text in match.name for text in texts):
            continue
        print(f"acesaround {' '.join(match.words)}", flush=True)
        log = unfinished / f"{match.name}.jsonl"
        more = ["--json", "--out", str(log), "--processes", str(processes)]
        command = [sys.executable, "-m", "acesaround", *match.words, *more]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(done.returncode)
        path.write_bytes(done.stdout)
        print("  " + _points(json.loads(done.stdout)), flush=True)


def _points(result: dict[str, Any]) -> str:
    found, places = result["points"]["difference"], 1 if result["in_play"] > 25 else 2
    return f"{found['value']:+.{places}f} ± {found['error']:.{places}f}"


def _percent(estimate: dict[str, Any]) -> str:
    return f"{100 * estimate['value']:.1f}% ± {100 * (estimate['error'] or 0):.1f}"


def _games(result: dict[str, Any]) -> str:
    games = result["games"]
    if games is None:
        return "-"
    share = games["share"]
    return (
        f"{100 * share['value']:.1f}% of {games['a'] + games['b']}"
        f" ({100 * share['low']:.1f} to {100 * share['high']:.1f})"
    )


def _time(result: dict[str, Any]) -> str:
    plays = result["a"]["times"].get("play")
    return "-" if plays is None else f"{1000 * plays['mean']:.0f} / {1000 * plays['p95']:.0f}"


def found_of(match: Match) -> tuple[dict[str, Any] | None, str]:
    """The result of a match, None if there is none, and a star if it is an earlier one."""
    for folder, star in ((RESULTS, ""), (EARLIER, "\\*")):
        path = folder / f"{match.name}.json"
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8")), star
    return None, ""


def tables() -> dict[str, str]:
    """The tables as Markdown, by name; of matches that have been played."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(match.table for match in MATCHES):
        rows = [
            "| variant | A | B | deals | points a deal, A less B | of the points in play"
            " | games won by A | A's cards, ms: mean / 95% under |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for match in MATCHES:
            result, star = found_of(match)
            if match.table != name or result is None:
                continue
            cells = [
                match.variant + star,
                f"`{match.a}`",
                f"`{match.b}`",
                f"{result['deals'] // result['seatings']} x {result['seatings']}",
                _points(result),
                _percent(result["of_play"]["difference"]),
                _games(result),
                _time(result),
            ]
            rows.append(f"| {' | '.join(cells)} |")
        found[name] = "\n".join(rows) + "\n"
    found["covered"] = covered()
    return found


def covered() -> str:
    """Of the distance from `thumb` to a clairvoyant in cards alone, what `search` covers."""
    rows = ["| variant | search | ceiling | it gains | covered |", "|---|---|---|---|---|"]
    for variant in _CARDS:
        own, *tops = [m for m in MATCHES if m.table == "cards" and m.variant == variant]
        search, star = found_of(own)
        for match in tops:
            top, its = found_of(match)
            if search is None or top is None or its != star:
                continue
            share = search["points"]["difference"]["value"] / top["points"]["difference"]["value"]
            cells = [
                f"{variant}{star}",
                _points(search),
                f"`{match.a}`",
                _points(top),
                f"{100 * share:.0f}%",
            ]
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with its tables as the results have them."""
    for name, table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        first, last = text.index(begin) + len(begin), text.index(end)
        text = text[:first] + table + text[last:]
    return text


def main() -> None:
    """Run, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["run", "page"])
    parser.add_argument("texts", nargs="*", help="what the names of the matches have")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.texts, arguments.processes)
    else:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
