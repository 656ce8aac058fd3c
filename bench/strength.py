"""The strength of bots: the matches of docs/strength.md, and the tables of their results.

`python bench/strength.py run [TEXT ...]` plays each match whose name has all of the texts, on each
seed of `strength/seeds.toml` without a result. A match that is stopped is stored in `unfinished`
and continued later. `page` writes the tables into the page. `fresh` replaces the oldest seed with a
new random one, for a release. To play a match again, delete its results; one moved to
`strength/earlier` has a star in its table until then.

Programs of others are listed in `strength/others.toml`, a line for each match.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import secrets
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from acesaround import variants
from strength_pooled import pooled

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "strength"
EARLIER: Final = RESULTS / "earlier"  # results of bots that have changed since
SEEDS: Final = RESULTS / "seeds.toml"
OTHERS: Final = RESULTS / "others.toml"
HOUSES: Final = RESULTS / "houses"  # randomly drawn rule sheets
PAGE: Final = HERE.parent / "docs" / "strength.md"
SECTIONS: Final = {
    "bids": "Whole deals, in which bids and passed cards count too:\n\n",
    "yardstick": (
        "## Other bots against `thumb:2026-11`\n\nCompare releases here: the same bot plays "
        "against `thumb:2026-11`, which never changes.\n\n"
    ),
    "houses": (
        "## With house rules and rule sheets\n\nThese matches use house rules of our games, and "
        "ten sheets that were drawn at random and are stored in\n`bench/strength/houses`. "
        "`python -m tests.sheets.drawing SEED FOLDER` draws others. The sheets of a seed change\n"
        "whenever the rules object gets new fields.\n\n"
        "In house 6 the bid decides how many chips a deal pays. There *points in play* are the 6 "
        "chips that the declarer of the\nlowest bid gains by making it instead of being set. In "
        "house 8 there is little to win: a hand below 20 scores nothing, and\nonly 11 points are "
        "in play.\n\n"
    ),
    "others": "## Against programs of others\n\n",
    "ratings": (
        "## Ratings\n\nAll levels in every variant, whole games, each against the next. `thumb` "
        "has 0. A bot with 400 more wins\nten games for each that it loses.\n\n"
    ),
}
"""The headings and first words of sections that are left out while their table is empty."""
LEAST_SEEDS: Final = 5
LADDER_SEED: Final = 2026
"""The seed of the soak test's ladder, and of results without a seed in their name."""


class Match(NamedTuple):
    """One match: the table that shows it, and its arguments for the arena.

    `deals`: the number of deals on all seeds together.
    """

    table: str
    variant: str
    a: str
    b: str
    deals: int
    more: tuple[str, ...] = ()
    house: str = ""
    """The name of a table with rules of its own."""

    @property
    def name(self) -> str:
        """The prefix of the names of its files."""
        game = self.house or self.variant
        return re.sub(r"[^\w.-]+", "_", f"{self.table}-{game}-{self.a}-{self.b}")

    def words(self, seed: int) -> list[str]:
        """Return the arguments of `acesaround` for one seed."""
        each = -(-self.deals // len(seeds()))
        deals = ["--deals", str(each), "--seed", str(seed)]
        return ["arena", self.variant, self.a, self.b, *deals, *self.more]


@cache
def seeds() -> tuple[int, ...]:
    """Return the seeds on which every match is played."""
    return tuple(tomllib.loads(SEEDS.read_text(encoding="utf-8"))["seeds"])


_DEALS: Final = {
    "partnership": 400,
    "three-handed": 150,
    "two-handed": 200,
    "double-deck": 200,
    "double-deck-classic": 200,
    "seven-card": 300,
    "five-card": 400,
}
_GAMES: Final = {"partnership": 1200}
_CARDS: Final = {  # only cards are played; all bots have the same contracts
    "partnership": 200,
    "three-handed": 60,
    "two-handed": 100,
    "double-deck": 60,
    "double-deck-classic": 60,
    "seven-card": 100,
    "five-card": 200,
}
_THUMB_DEALS: Final = {"partnership": 3000, "double-deck": 3000, "three-handed": 1500}
_HOUSE_RULES: Final = (
    ("double-deck", "exchange=3"),
    ("double-deck", "exchange=4"),
    ("partnership", "exchange=0"),
    ("partnership", "card_points=traditional"),
)
_HOUSE_DEALS: Final = 100
_ALONE: Final = ("--play-only", "thumb")
_SINGLE: Final = ("--single-deals",)
_LADDER: Final = {"partnership": 800, "two-handed": 300, "three-handed": 600, "double-deck": 150}
_STEPS: Final = (
    ("medium", "easy"),
    ("hard:time=0.02", "medium"),
    ("expert:time=0.02", "hard:time=0.02"),
)
_RATED: Final = 100  # deals in each variant, as whole games
_CHAIN: Final = (  # each level against the one below, so that all can be compared
    ("easy", "random"),
    ("thumb", "easy"),
    ("medium", "thumb"),
    ("hard:time=0.02", "medium"),
    ("expert:time=0.02", "hard:time=0.02"),
)
_SOURCES: Final = {"sizes": 150, "voids": 100, "melds": 100, "calls": 100}
_SEARCH: Final = "search:time=0.1"
_QUICK: Final = "search:time=0.03"  # for matches where that is enough time
_HANDS: Final = "clairvoyant:sees=hands"  # a second ceiling, for cards drawn in play
_CLEAR: Final = {"partnership", "double-deck", "double-deck-classic"}
_BEFORE: Final = "thumb:2026-11"  # the fixed reference


def _houses() -> Iterator[Match]:
    for variant, option in _HOUSE_RULES:
        more = (*_SINGLE, "--option", option)
        yield Match("houses", variant, _QUICK, "thumb", _HOUSE_DEALS, more, f"{variant} {option}")
    for sheet in sorted(HOUSES.glob("*.toml")):
        own = sheet.relative_to(HERE.parent).as_posix()
        yield Match("houses", own, _QUICK, "thumb", _HOUSE_DEALS, _SINGLE, sheet.stem)


def others() -> Iterator[Match]:
    """Yield matches against programs of others; a line of the file has a name and the match."""
    for name, entry in tomllib.loads(OTHERS.read_text(encoding="utf-8")).items():
        more = [part for option in entry.get("options", ()) for part in ("--option", option)]
        words = (*(_ALONE if entry.get("cards_alone") else _SINGLE), *more)
        yield Match(
            "others", entry["game"], entry["ours"], entry["theirs"], entry["deals"], words, name
        )


MATCHES: Final = (
    *(
        Match("deal", variant, _QUICK if variant in _CLEAR else _SEARCH, "thumb", deals, _SINGLE)
        for variant, deals in _DEALS.items()
    ),
    *(
        Match("yardstick", variant, _QUICK, _BEFORE, _DEALS[variant], _SINGLE)
        for variant in _THUMB_DEALS
    ),
    *(
        Match("thumbs", variant, "thumb", _BEFORE, deals, _ALONE)
        for variant, deals in _THUMB_DEALS.items()
    ),
    *(
        Match("bids", variant, "thumb", _BEFORE, deals, _SINGLE)
        for variant, deals in _THUMB_DEALS.items()
    ),
    *_houses(),
    *others(),
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
    *(
        Match("chain", variant, above, below, _RATED)
        for variant in variants.VARIANTS
        for above, below in _CHAIN
    ),
)


def run(texts: list[str], processes: int) -> None:
    """Play the missing matches, one seed after the other."""
    unfinished = RESULTS / "unfinished"
    unfinished.mkdir(parents=True, exist_ok=True)
    for match in MATCHES:
        if not all(text in match.name for text in texts):
            continue
        for seed in seeds():
            path = RESULTS / f"{match.name}-{seed}.json"
            if path.exists():
                continue
            words = match.words(seed)
            print(f"acesaround {' '.join(words)}", flush=True)
            log = unfinished / f"{path.stem}.jsonl"
            more = ["--json", "--out", str(log), "--processes", str(processes)]
            command = [sys.executable, "-m", "acesaround", *words, *more]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=False, cwd=HERE.parent)
            if done.returncode:
                sys.exit(done.returncode)
            path.write_bytes(done.stdout)
            print("  " + _points(json.loads(done.stdout)), flush=True)


def fresh() -> None:
    """Replace the oldest seed, which is the first, with a new random one."""
    drawn = secrets.randbelow(9_000_000) + 1_000_000
    (*_, last) = new_seeds = [*seeds()[-LEAST_SEEDS + 1 :], drawn]
    text = SEEDS.read_text(encoding="utf-8")
    SEEDS.write_text(re.sub(r"(?m)^seeds = .*$", f"seeds = {new_seeds}", text), encoding="utf-8")
    print(f"The seeds are {new_seeds}, of which {last} is new. `run` plays what is missing.")


def _points(result: dict[str, Any]) -> str:
    found, places = result["points"]["difference"], 1 if result["in_play"] > 25 else 2
    return f"{found['value']:+.{places}f} ± {found['error'] or 0:.{places}f}"


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


def result_of(match: Match) -> tuple[dict[str, Any] | None, str]:
    """Return the pooled result of a match on all its seeds, or None if one is missing.

    The second value is a star if the result is an earlier one, of a single seed.
    """
    paths = [RESULTS / f"{match.name}-{seed}.json" for seed in seeds()]
    if all(path.exists() for path in paths):
        return pooled([json.loads(path.read_text(encoding="utf-8")) for path in paths]), ""
    path = EARLIER / f"{match.name}.json"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8")), "\\*"
    return None, ""


def tables() -> dict[str, str]:
    """Return the tables of the played matches as Markdown, by name; "" without a match."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(
        (*(match.table for match in MATCHES if match.table != "chain"), "others")
    ):
        rows = [
            "| game | A | B | deals | points a deal, A minus B | share of the points in play"
            " | games won by A | A's ms a card: mean / 95th percentile |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for match in MATCHES:
            result, star = result_of(match) if match.table == name else (None, "")
            if result is None:
                continue
            cells = [
                (match.house or match.variant) + star,
                f"`{match.a}`",
                f"`{match.b}`",
                f"{result['deals'] // result['seatings']} x {result['seatings']}",
                _points(result),
                _percent(result["of_play"]["difference"]),
                _games(result),
                _time(result),
            ]
            rows.append(f"| {' | '.join(cells)} |")
        found[name] = "\n".join(rows) + "\n" if len(rows) > 2 else ""
    found["covered"] = covered()
    found["ratings"] = ratings()
    found["seeds"] = f"The seeds are {', '.join(map(str, seeds()))}.\n"
    return found


def covered() -> str:
    """Return the table of how much of the gap from `thumb` to a clairvoyant `search` closes.

    Only the play of cards counts.
    """
    rows = [
        "| game | gain of `search` | ceiling | gain of the ceiling | share reached |",
        "|---|---|---|---|---|",
    ]
    for variant in _CARDS:
        search_match, *ceilings = [
            m for m in MATCHES if m.table == "cards" and m.variant == variant
        ]
        search, star = result_of(search_match)
        for match in ceilings:
            top, top_star = result_of(match)
            if search is None or top is None or top_star != star:
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


def ratings() -> str:
    """Return the table of the levels' ratings: 0 is `thumb`, 400 is ten wins to one.

    A rating sums the steps from `thumb`, and its interval combines theirs.
    """
    names = [_CHAIN[0][1], *(above for above, _ in _CHAIN)]
    zero = names.index("thumb")
    rows = [
        "| game | " + " | ".join(f"`{name.partition(':')[0]}`" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for variant in variants.VARIANTS:
        results = [result_of(m)[0] for m in MATCHES if (m.table, m.variant) == ("chain", variant)]
        steps = [rating_step(result["games"]["share"]) for result in results if result is not None]
        if len(steps) < len(_CHAIN):
            continue
        cells = [variant]
        for place, _ in enumerate(names):
            between = steps[zero:place] if place > zero else steps[place:zero]
            value = sum(step for step, _ in between) * (1 if place > zero else -1)
            error = math.hypot(*(half for _, half in between))
            cells.append(f"{value:+.0f} ± {error:.0f}" if between else "0")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n" if len(rows) > 2 else ""


def rating_step(share: dict[str, float]) -> tuple[float, float]:
    """Return the rating difference for this share of wins, and half its interval.

    Shares are limited to 0.001 and 0.999.
    """
    low, value, high = (
        400 * math.log10(part / (1 - part))
        for part in (min(max(share[end], 0.001), 0.999) for end in ("low", "value", "high"))
    )
    return value, (high - low) / 2


def page(text: str) -> str:
    """Return the page with its tables made from the results."""
    for name, table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        first, last = text.index(begin) + len(begin), text.index(end)
        head = SECTIONS.get(name, "") if table else ""
        text = text[:first] + head + table + text[last:]
    return text


def main() -> None:
    """Run the matches, write the page, or draw a seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["run", "page", "fresh"])
    parser.add_argument("texts", nargs="*", help="what the names of the matches have")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.texts, arguments.processes)
    elif arguments.what == "fresh":
        fresh()
    else:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
