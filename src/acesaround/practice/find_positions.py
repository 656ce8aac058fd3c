"""Finds practice positions in simulated games: `python -m acesaround.practice.find_positions`.

Bots play the first deals of games of every variant. A position is taken if its best choice leads
every wrong choice by `MARGIN` in two searches with different seeds, and a common bot chooses a
wrong one. The file is extended position by position, so an interrupted run continues.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from acesaround import bots, game, variants
from acesaround.actions import Action, Deal, LayMeld, Pass, Play
from acesaround.bots.explanations import explanation_parts
from acesaround.bots.search import SearchBot
from acesaround.bots.search.reason_selection import explain_fault
from acesaround.bots.search.reasons import explain_choice
from acesaround.bots.search.rollout_statistics import EVEN_CHANCE, EVEN_ERRORS
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View, view_for
from acesaround.practice.position import (
    MARGIN,
    PracticeChoice,
    PracticePosition,
    Sample,
    Theme,
    format_stored_action,
    make_id,
    read_position,
    write_position,
)
from acesaround.practice.themes import possible_themes, theme_of
from acesaround.rules.feature_support import Feature, why_unsupported

BOTS: Final = ("thumb", "easy", "medium")
"""The common bots. At least one of them chooses wrongly in each position."""
SELECTING_SECONDS: Final = 0.01
SAMPLE_SECONDS: Final = 0.1
"""The nominal times of the search that selects positions, and of each of the two samples."""
MAX_CHOICES: Final = 4
"""How many bids, suits or selections of cards a position offers."""
DEALS_PER_SHARE: Final = 20
SHIPPED_THEMES: Final = (
    Theme.BIDDING,
    Theme.TRUMP,
    Theme.PASSING,
    Theme.BURYING,
    Theme.LEADS,
    Theme.SMEARING,
    Theme.FORCING,
    Theme.COUNTING,
    Theme.SAVING_MELD,
    Theme.ENDGAME,
)
_COMMON_THEMES: Final = (Theme.BIDDING, Theme.TRUMP, Theme.PASSING, Theme.LEADS, Theme.ENDGAME)
_KINDS: Final = {
    Theme.BIDDING: (DecisionKind.BID,),
    Theme.TRUMP: (DecisionKind.TRUMP,),
    Theme.PASSING: (DecisionKind.GIVE,),
    Theme.BURYING: (DecisionKind.BURY,),
    Theme.SAVING_MELD: (DecisionKind.GIVE, DecisionKind.BURY, DecisionKind.PLAY),
}
"""The kinds of decisions of themes; all others are about plays."""


class _Candidate:
    """A decision of a simulated deal. `before`: all actions before it, the deal first."""

    def __init__(
        self, view: View, decision: Decision, before: tuple[Action, ...], seed: str
    ) -> None:
        self.view: View = view
        self.decision: Decision = decision
        self.before: tuple[Action, ...] = before
        self.seed: str = seed

    @cached_property
    def chosen(self) -> dict[str, Action]:
        """Return what the common bots choose, by their names."""
        return {
            name: bots.make(name, random.Random(f"{self.seed} {name}")).choose(
                self.view, self.decision
            )
            for name in BOTS
        }

    def search(self, purpose: str, seconds: float, also: Sequence[Action]) -> SearchResult:
        """Return what a search finds. `purpose`: names its seed. `also`: actions to try too."""
        bot = SearchBot(random.Random(f"{self.seed} {purpose}"), time=seconds)
        return bot.search(self.view, self.decision, records_statistics=True, also_try=tuple(also))


def find_position(candidate: _Candidate, wanted: frozenset[Theme]) -> PracticePosition | None:
    """Return the position of a decision if it is clear and common bots go wrong, else None."""
    view, decision = candidate.view, candidate.decision
    possible = possible_themes(view, decision.kind)
    if not possible & wanted:
        return None
    first = candidate.search("selection", SELECTING_SECONDS, ())
    best = first.action
    leads = {one.action: _lead(first, best, one.action) for one in first.evaluated_actions}
    clear = [action for action, lead in leads.items() if lead >= MARGIN]
    if not clear:
        return None
    may_save = Theme.SAVING_MELD in possible & wanted  # which depends on what bots choose
    if (
        isinstance(best, Play)
        and not may_save
        and theme_of(view, decision.kind, best, clear) not in wanted
    ):
        return None
    if isinstance(best, Play) and len(leads) - len(clear) > max(1, len(leads) // 2):
        return None
    chosen = tuple(dict.fromkeys(candidate.chosen.values()))
    if not any(leads.get(action, MARGIN) >= MARGIN for action in chosen):
        return None
    results = []
    for purpose in ("first sample", "second sample"):
        results.append(candidate.search(purpose, SAMPLE_SECONDS, (*chosen, best)))
        if not any(_lead(results[-1], best, action) >= MARGIN for action in chosen):
            return None
    choices = _make_choices(candidate, best, results)
    if choices is None:
        return None
    theme = theme_of(view, decision.kind, best, errors_of_bots(choices))
    if theme not in wanted:
        return None
    deal, actions = candidate.before[0], candidate.before[1:]
    assert isinstance(deal, Deal)
    explained = next((one for one in results if one.action == best), first)
    return PracticePosition(
        id=make_id(
            view.rules.variant,
            "".join("".join(map(str, hand)) for hand in deal.hands),
            ";".join(map(format_stored_action, actions)),
        ),
        variant=view.rules.variant,
        theme=theme,
        dealer=view.dealer,
        deal=deal,
        actions=actions,
        choices=choices,
        reason=explanation_parts(explain_choice(view, decision, explained)),
    )


def errors_of_bots(choices: Sequence[PracticeChoice]) -> list[Action]:
    """Return the wrong choices that common bots made."""
    return [choice.action for choice in choices if choice.bots and not choice.is_right]


def _lead(result: SearchResult, best: Action, other: Action) -> float:
    """Return how much of the game the best action gains over another; 0 if it was not tried."""
    found, compared = _find(result, best), _find(result, other)
    if found is None or compared is None:
        return 0.0
    return found.win_probability - compared.win_probability


def _find(result: SearchResult, action: Action) -> EvaluatedAction | None:
    return next((one for one in result.evaluated_actions if one.action == action), None)


def _make_choices(
    candidate: _Candidate, best: Action, results: Sequence[SearchResult]
) -> tuple[PracticeChoice, ...] | None:
    """Return the choices of a position, or None if it is not clear."""
    samples: dict[Action, tuple[Sample, ...]] = {}
    for one in results[0].evaluated_actions:
        found = [_make_sample(result, best, one.action) for result in results]
        if all(sample is not None for sample in found):
            samples[one.action] = tuple([sample for sample in found if sample is not None])
    right, wrong = [], []
    for action, both in samples.items():
        if all(sample.is_clearly_worse for sample in both):
            wrong.append(action)
        elif all(sample.lost <= max(EVEN_CHANCE, MARGIN / 2) for sample in both):
            right.append(action)
    errs = [action for action in candidate.chosen.values() if action in wrong]
    if best not in right or not errs:
        return None
    legal = candidate.decision.legal
    if isinstance(best, Play):
        playable = [action for action in legal if not isinstance(action, LayMeld | Pass)]
        if set(playable) != {*right, *wrong} or len(right) > max(1, len(playable) // 2):
            return None
        offered: list[Action] = [*playable]
    else:
        others = [action for action in wrong if action not in errs]
        offered = [best, *dict.fromkeys(errs), *others][:MAX_CHOICES]
    return tuple(
        [
            PracticeChoice(
                action,
                action in right,
                samples[action],
                tuple([name for name in BOTS if candidate.chosen[name] == action]),
                () if action in right else _fault(best, action, results),
            )
            for action in sorted(offered, key=format_stored_action)
        ]
    )


def _fault(best: Action, action: Action, results: Sequence[SearchResult]) -> tuple[str | int, ...]:
    """Return why an action is worse than the best one, as parts of a sentence."""
    for result in results:
        fault = explain_fault(result._replace(action=best), action)
        if fault is not None:
            return explanation_parts(fault)
    return ()


def renew_faults(positions: Sequence[PracticePosition]) -> Iterator[PracticePosition]:
    """Yield the positions with the reasons of their wrong choices searched again."""
    for position in positions:
        view, decision = position.replay()
        bot = SearchBot(random.Random(position.id), time=SAMPLE_SECONDS)
        offered = tuple(choice.action for choice in position.choices)
        result = bot.search(view, decision, records_statistics=True, also_try=offered)
        best = position.best.action
        yield replace(
            position,
            choices=tuple(
                replace(
                    choice,
                    fault=() if choice.is_right else _fault(best, choice.action, [result]),
                )
                for choice in position.choices
            ),
        )


def _make_sample(result: SearchResult, best: Action, action: Action) -> Sample | None:
    found, of_best = _find(result, action), _find(result, best)
    if found is None or of_best is None or result.statistics is None:
        return None
    error = 0.0 if action == best else EVEN_ERRORS * result.statistics.error(best, action)
    return Sample(
        chance=found.win_probability,
        lost=of_best.win_probability - found.win_probability,
        error=error,
        points=of_best.points - found.points,
    )


def simulate_decisions(variant: str, seed: str, wanted: frozenset[Theme]) -> Iterator[_Candidate]:
    """Yield decisions of the first deal of a game between bots, in random order.

    Only decisions of kinds that the wanted themes have. The bots are `thumb` and `easy`, so that
    positions arise as they do among people.
    """
    kinds = {kind for theme in wanted for kind in _KINDS.get(theme, (DecisionKind.PLAY,))}
    rules, rng = variants.VARIANTS[variant], random.Random(f"{seed} deal")
    state = game.start(rules, game.first_dealer(rules, rng))
    players = [
        bots.make(rng.choice(("thumb", "easy")), random.Random(f"{seed} {seat}"))
        for seat in range(rules.seats)
    ]
    before: tuple[Action, ...] = ()
    found = []
    while state.phase is not None:
        decision = game.decision(state)
        if decision.kind is DecisionKind.DEAL:
            if before:
                break
            assert isinstance(decision.legal, Deals)
            action: Action = decision.legal.sample(rng)
        else:
            assert decision.seat is not None
            view = view_for(state, decision.seat)
            if decision.kind is DecisionKind.PLAY and decision.kind not in kinds:
                break
            if not decision.is_forced and decision.kind in kinds:
                found.append((view, decision, before))
            action = players[decision.seat].choose(view, decision)
        state, _ = game.apply(state, action)
        before = (*before, action)
    rng.shuffle(found)
    for view, decision, earlier in found:
        yield _Candidate(view, decision, earlier, f"{seed} {len(earlier)}")


def wanted_themes(
    found: Sequence[PracticePosition], variant: str, per_variant: int, deals: int
) -> frozenset[Theme]:
    """Return the themes that the set still needs of a variant. `deals`: those tried before.

    Rare themes may have twice as many positions. More deals admit more positions of a theme,
    because not every game has every theme.
    """
    by_theme = Counter(position.theme for position in found if position.variant == variant)
    if by_theme.total() >= per_variant:
        return frozenset()
    share = 2 + deals // DEALS_PER_SHARE
    return frozenset(
        [
            theme
            for theme in SHIPPED_THEMES
            if by_theme[theme] < (share if theme in _COMMON_THEMES else 2 * share)
        ]
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Search positions until every variant has its number of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="the file to write or to extend")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-variant", type=int, default=14)
    parser.add_argument("--max-deals", type=int, default=400, help="deals tried for a variant")
    parser.add_argument("--per-theme", type=int, default=12, help="positions of a rare theme")
    parser.add_argument(
        "--max-rare-deals", type=int, default=200, help="deals tried for rare themes in a variant"
    )
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument(
        "--renew-faults", action="store_true", help="only say again why wrong choices are worse"
    )
    arguments = parser.parse_args(argv)
    lines = arguments.file.read_bytes().splitlines() if arguments.file.exists() else []
    found = [read_position(line) for line in lines]
    if arguments.renew_faults:
        renewed = [write_position(one) + b"\n" for one in renew_faults(found)]
        arguments.file.write_bytes(b"".join(renewed))
        return
    names = arguments.variant or list(variants.VARIANTS)
    searched = [
        name for name in names if why_unsupported(variants.VARIANTS[name], Feature.SEARCH) is None
    ]
    for name in searched:
        bots.measure_hand_weights(variants.VARIANTS[name])
    search = _Search(found, arguments.file)
    open_variants = list(searched)
    for deal in range(arguments.max_deals):
        for name in list(open_variants):
            wanted = wanted_themes(found, name, arguments.per_variant, deal)
            if not wanted:
                open_variants.remove(name)
                continue
            search.try_deal(name, wanted, f"{arguments.seed} {name} {deal}")
    for deal in range(arguments.max_rare_deals):
        for name in searched:
            by_theme = Counter(position.theme for position in found)
            rare = frozenset(
                [theme for theme in SHIPPED_THEMES if by_theme[theme] < arguments.per_theme]
            )
            if rare:
                search.try_deal(name, rare, f"{arguments.seed} {name} rare {deal}")
    sys.stderr.write("\n")
    arguments.file.write_bytes(b"".join(write_position(one) + b"\n" for one in arrange(found)))


def arrange(positions: Sequence[PracticePosition]) -> list[PracticePosition]:
    """Return the positions by variant and theme, with their themes found again."""
    renewed = []
    for position in positions:
        view, decision = position.replay()
        theme = theme_of(
            view, decision.kind, position.best.action, errors_of_bots(position.choices)
        )
        if theme in SHIPPED_THEMES:
            renewed.append(replace(position, theme=theme))
    return sorted(renewed, key=lambda one: (one.variant, one.theme, one.id))


class _Search:
    """The search so far: it adds the positions that it finds to a list and to a file."""

    def __init__(self, found: list[PracticePosition], file: Path) -> None:
        self._found, self._file, self._started = found, file, time.monotonic()

    def try_deal(self, variant: str, wanted: frozenset[Theme], seed: str) -> None:
        """Simulate a deal, and add a position of a wanted theme if it has one. Show progress."""
        position = _search_deal(self._found, wanted, variant, seed)
        if position is not None:
            self._found.append(position)
            with self._file.open("ab") as file:
                file.write(write_position(position) + b"\n")
        minutes = (time.monotonic() - self._started) / 60
        sys.stderr.write(f"\r{minutes:.0f} min, deal {seed}: {len(self._found)} positions   ")


def _search_deal(
    found: Sequence[PracticePosition], wanted: frozenset[Theme], variant: str, seed: str
) -> PracticePosition | None:
    """Return a new position of a simulated deal. A deal has at most one, so no two are alike."""
    known = {position.deal for position in found if position.variant == variant}
    for candidate in simulate_decisions(variant, seed, wanted):
        if candidate.before[0] in known:
            return None
        position = find_position(candidate, wanted)
        if position is not None:
            return position
    return None


if __name__ == "__main__":
    main()
