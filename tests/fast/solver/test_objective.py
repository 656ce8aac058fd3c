"""Goals of a side as thresholds, compared with the engine's scores after every way to play on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.fast import Position, PositionError, Solver
from acesaround.fast.solver.objective import (
    Goal,
    Objective,
    Threshold,
    all_objectives,
    is_reachable,
    make_objective,
)
from acesaround.game.state import GameState, MeldRecord, Playing, tally
from acesaround.rules import KeepMeld, Rules
from acesaround.rules.scoring import Outcome, outcome_and_changes, score_after_losses
from tests.random_games import turns


def saved_by_any_trick(rules: Rules) -> bool:
    return rules.scoring.keep_meld is KeepMeld.TRICK and len(rules.sides) == 2


TABLES = [
    variants.get("three-handed"),
    variants.get("three-handed", options={"card_points": "kings-fives"}),
    variants.get("three-handed", options={"card_points": "traditional"}),
    variants.get("partnership"),
    variants.get("partnership", options={"card_points": "traditional", "set_pays_defenders": True}),
    variants.get("five-card"),
    variants.get("five-card", 2),
    variants.get("five-card", 9),
    variants.get("seven-card", 3),
    variants.get("double-deck"),
    variants.get("double-deck-classic"),
    variants.get("double-deck-classic", options={"min_twenty": True}),
    *(rules for rules in variants.VARIANTS.values() if saved_by_any_trick(rules)),
]


def table_id(rules: Rules) -> str:
    options = variants.changed_options(rules)
    return " ".join([rules.variant, str(rules.seats), *(f"{n}={v}" for n, v in options.items())])


def endings(rules: Rules, cards: int, number: int, seed: int) -> Iterator[GameState]:
    """Yield states of random games with at most `cards` cards a hand."""
    found = 0
    while found < number:
        seed += 1
        for turn in turns(rules, seed, deals=1):
            state = turn.before
            if isinstance(state.phase, Playing) and len(state.hand(state.phase.turn)) <= cards:
                found += 1
                yield state
                if found == number:
                    return


def at_stake(state: GameState, rng: random.Random) -> GameState:
    """Return the state with bid, melds and points just short of a goal."""
    deal, rules = state.deal, state.rules
    sides = len(rules.sides)
    resets_points = rng.random() < 0.6  # the side on turn, or everybody, has won nothing yet
    without_points = (
        {rules.side_of(game.decision(state).seat or 0)} if rng.random() < 0.5 else set(range(sides))
    )
    won = tuple(
        0 if resets_points and side in without_points else w for side, w in enumerate(deal.won)
    )
    counter = tuple(
        c and not (resets_points and side in without_points)
        for side, c in enumerate(deal.has_counter)
    )
    melds = [rng.choice([0, 2, 10, 19, 20, 40, 200]) for _ in state.players]
    laid = tuple(
        MeldRecord(seat, (), points, ()) for seat, points in zip(state.players, melds, strict=True)
    )
    if rng.random() < 0.5:
        laid = deal.laid
    state = replace(state, deal=replace(deal, won=won, has_counter=counter, laid=laid))
    if deal.declarer is None:
        return state
    now, side = tally(state), rules.side_of(deal.declarer)
    unit = 10 if rules.scoring.last_trick == 10 else 1
    short = rng.choice([rng.randrange(-1, 9), rng.randrange(3)]) * unit + rng.randrange(unit)
    own = sum(score_after_losses(rules, replace(now, has_counter=(True,) * sides), side))
    bid = max(1, rng.choice([own, now.play[side], now.meld[side] + now.play[side]]) + short)
    return replace(state, deal=replace(state.deal, bid=bid))


def forced(state: GameState, goal: Goal, side: int, seats: tuple[int, ...]) -> bool:
    """Return True if the seats can force the goal, by trying every play and scoring every end."""
    if state.phase is None:
        counted = tally(state)
        if goal is Goal.SAVE_MELD:
            return score_after_losses(state.rules, counted, side)[0] == counted.meld[side]
        outcome, _ = outcome_and_changes(state.rules, counted, None, side, state.deal.bid)
        return outcome is (Outcome.MADE if goal is Goal.MAKE else Outcome.SET)
    decision = game.decision(state)
    plays = [action for action in decision.legal if type(action).__name__ == "Play"]
    answers = (forced(game.last_state_of_deal(state, play), goal, side, seats) for play in plays)
    return any(answers) if decision.seat in seats else all(answers)


class Answers:
    """Answers questions with one solver for each setup, and counts them."""

    def __init__(self) -> None:
        self.solvers: dict[object, Solver] = {}
        self.questions = 0

    def __call__(self, position: Position, need: int) -> bool | None:
        self.questions += 1
        solver = self.solvers.setdefault(position.setup, Solver(position.setup, 1))
        return solver.can_win(position, need)


def is_decided(objective: Objective, ask: Answers) -> bool:
    reached = [
        ask(threshold.position, threshold.points_needed) for threshold in objective.sufficient
    ]
    possible = [
        ask(threshold.position, threshold.points_needed) for threshold in objective.necessary
    ]
    return any(reached) or not all(possible)


def compare(rules: Rules, cards: int, number: int, seed: int) -> Counter[object]:
    """Compare every goal of many endings; count the kinds of answers."""
    rng, ask = random.Random(seed), Answers()
    seen: Counter[object] = Counter()
    for state in endings(rules, cards, number, seed * 1000):
        changed = at_stake(state, rng)
        for objective in all_objectives(changed):
            answer = is_reachable(objective, ask)
            assert answer is forced(changed, objective.goal, objective.side, objective.seats), (
                objective
            )
            assert objective.known_result in (None, answer)
            kind = "settled" if objective.known_result is not None else "asked"
            seen[objective.goal, kind, answer] += 1
            if objective.threshold is None:
                seen["several"] += 1
                seen["played on", answer] += not is_decided(objective, ask)
    return seen


@pytest.mark.parametrize("rules", TABLES, ids=table_id)
def test_goals_are_reachable_exactly_as_by_the_engines_scores(rules: Rules) -> None:
    seen = compare(rules, 2 if rules.seats > 4 else 3, 120, seed=1)
    for goal in (Goal.MAKE, Goal.SET) if rules.auction is not None else (Goal.SAVE_MELD,):
        for kind in ("asked", "settled"):
            assert seen[goal, kind, True] + seen[goal, kind, False] > 0
        assert seen[goal, "asked", True]
        assert seen[goal, "asked", False]


@pytest.mark.soak
@pytest.mark.parametrize("rules", TABLES, ids=table_id)
def test_goals_of_longer_endings_match_the_engines_scores(rules: Rules) -> None:
    compare(rules, 3 if rules.seats > 4 else 4, 600, seed=2)


def test_play_decides_when_points_do_not_show_counters() -> None:
    """A queen scores but is no counter; a king is a counter with the same points."""
    rules = variants.get("three-handed", options={"card_points": "kings-fives"})
    seen = compare(rules, 2, 400, seed=3) + compare(rules, 3, 400, seed=3)
    assert seen["several"] > 40
    assert seen["played on", True]
    assert seen["played on", False]


def test_winning_a_counter_becomes_a_threshold_on_counters() -> None:
    state = next(endings(variants.get("three-handed"), 3, 1, 7))
    side = state.rules.side_of(game.decision(state).seat or 0)
    deal = replace(state.deal, has_counter=(False,) * 3, laid=tuple(
        MeldRecord(seat, (), 20, ()) for seat in range(3)
    ))  # fmt: skip
    objective = make_objective(replace(state, deal=deal), Goal.SAVE_MELD, side)
    assert objective.threshold is not None
    assert objective.threshold.points_needed == 1
    assert objective.threshold.position.setup.points == (1, 1, 1, 0, 0, 0)
    # the bonus for the last trick saves no meld
    assert objective.threshold.position.setup.last_trick_points == 0
    kept_already = replace(deal, has_counter=(True,) * 3)
    assert (
        make_objective(replace(state, deal=kept_already), Goal.SAVE_MELD, side).known_result is True
    )


def test_an_unanswered_question_leaves_the_goal_unknown() -> None:
    questions = 0

    def give_up(position: Position, need: int) -> None:
        nonlocal questions
        questions += 1

    rng = random.Random(1)
    for state in endings(variants.get("three-handed"), 3, 40, 4):
        for objective in all_objectives(at_stake(state, rng)):
            assert is_reachable(objective, give_up) is objective.known_result
    assert questions > 20


def test_no_objectives_without_a_bid_or_a_meld_to_lose() -> None:
    for state in endings(variants.get("two-handed"), 3, 5, 1):
        assert {objective.goal for objective in all_objectives(state)} <= {Goal.SAVE_MELD}
        assert all(objective.known_result for objective in all_objectives(state))
        bare = replace(state, deal=replace(state.deal, laid=()))
        assert all_objectives(bare) == ()
    with pytest.raises(PositionError, match="Only the play"):
        all_objectives(game.start(variants.get("partnership")))


def test_complement_is_reached_exactly_when_the_threshold_is_not() -> None:
    for state in endings(variants.get("partnership"), 3, 10, 2):
        position = Position.from_state(state, 0)
        for need in range(-5, 60, 5):
            one = Threshold(position, need)
            other = one.complement()
            assert other.complement() == one
            assert other.known_result == (
                None if one.known_result is None else not one.known_result
            )
            if one.known_result is None:
                mine = Solver(position.setup, 1).can_win(one.position, one.points_needed)
                theirs = Solver(other.position.setup, 1).can_win(
                    other.position, other.points_needed
                )
                assert mine is not theirs
