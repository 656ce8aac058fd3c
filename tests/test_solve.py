"""`acesaround solve`: a place in a record or typed hands, what each card brings, how sure it is.

`tests/fast` tests the solver. These tests check that the command asks it the right question and
prints its answer unchanged.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from acesaround import game
from acesaround.actions import PLAY_ACTIONS, Play
from acesaround.cards import Card, format_cards
from acesaround.fast import Position, warmup
from acesaround.fast.solver import ValueInterval, budget
from acesaround.fast.solver.objective import Goal, all_objectives
from acesaround.game.state import GameState, Playing, tally
from acesaround.record import GameRecord, Recorder, load, steps, write_games
from acesaround.record.text import to_text
from acesaround.rules import Rules
from acesaround.solve import SolveBudget, position_from_record, progress
from acesaround.variants import VARIANTS, get
from tests.cli_runner import ENVIRONMENT, Command, golden, the_line
from tests.fast.solver.brute import values
from tests.fast.solver.test_objective import forced
from tests.random_games import turns

PARTNERSHIP = str(golden("partnership"))
TABLES = [
    *(get(name) for name in VARIANTS),
    get("five-card", 9),
    get("five-card", 2),
    get("two-handed", 4, {"deck": "24-each"}),
    get("two-handed", 3, {"card_points": "traditional"}),
    get("three-handed", options={"card_points": "kings-fives"}),
    get("partnership", options={"renege": "penalty", "card_points": "traditional"}),
]


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def played(rules: Rules, seed: int) -> GameRecord:
    """The record of a deal between random bots that is played to its last trick."""
    while True:
        recorder = Recorder(rules, [f"Player {seat}" for seat in range(rules.seats)])
        for turn in turns(rules, seed, deals=1):
            recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
        if recorder.record.deals[0].tricks:
            return recorder.record
        seed += 1


def file_of(path: Path, *records: GameRecord) -> str:
    write_games(path, records)
    return str(path)


def endings(record: GameRecord, cards: int) -> Iterator[tuple[list[str], GameState, Card]]:
    """The places of a record with at most so many cards a hand: words, state, card played."""
    for step in steps(record):
        state, phase = step.before, step.before.phase
        if isinstance(phase, Playing) and len(state.hand(phase.turn)) <= cards:
            trick, card = len(state.deal.tricks) + 1, len(phase.cards) + 1
            assert isinstance(step.action, Play)
            yield ["--trick", str(trick), "--card", str(card)], state, step.action.card


def answer(acesaround: Command, *words: str) -> dict[str, Any]:
    """The JSON that a question is answered with."""
    given = acesaround("solve", *words, "--json")
    assert (given.status, given.err) == (0, "")
    found = json.loads(given.out)
    assert isinstance(found, dict)
    return found


# The answer is right


@pytest.mark.parametrize("rules", TABLES, ids=lambda r: f"{r.variant} {r.seats}")
def test_answers_equal_those_of_an_unpruned_search(
    acesaround: Command, tmp_path: Path, rules: Rules
) -> None:
    record = played(rules, 5)
    path = file_of(tmp_path / "game.jsonl", record)
    places = list(endings(record, 3 if rules.seats < 6 else 2))
    for words, state, card in places[:: max(1, len(places) // 5)]:
        found = answer(acesaround, path, *words)
        position = Position.from_state(state, rules.side_of(found["turn"]))
        plays = [a.card for a in game.decision(state).legal if isinstance(a, Play)]
        assert [one["card"] for one in found["cards"]] == [str(c) for c in plays]
        assert found["exact"]
        best, each = values(position)
        assert found["low"] == found["high"] == best
        for one, legal in zip(found["cards"], plays, strict=True):
            assert one["low"] == one["high"] == each[legal]
            assert one["loss"] == found["low"] - one["low"]
            assert one["best"] is (one["loss"] == 0)
            assert one["played"] is (legal == card)
        assert found["won"] == tally(state).play[rules.side_of(found["turn"])]


@pytest.mark.parametrize("rules", TABLES, ids=lambda r: f"{r.variant} {r.seats}")
def test_thresholds_of_cards_equal_the_scores_of_the_engine(
    acesaround: Command, tmp_path: Path, rules: Rules
) -> None:
    if rules.auction is None:
        return
    record = played(rules, 8)
    path = file_of(tmp_path / "game.jsonl", record)
    for words, state, _ in list(endings(record, 3 if rules.seats < 6 else 2))[::4]:
        found = answer(acesaround, path, *words)
        goals = goals_of(state)
        assert [(one["goal"], one["seats"]) for one in found["thresholds"]] == [
            (goal.value, list(seats)) for goal, _, seats in goals
        ]
        for at, ((goal, side, seats), one) in enumerate(
            zip(goals, found["thresholds"], strict=True)
        ):
            assert one["reached"] is forced(state, goal, side, seats)
            for card in found["cards"]:
                after = game.last_state_of_deal(state, PLAY_ACTIONS[Card(card["card"])])
                assert card["reached"][at] is forced(after, goal, side, seats)


def goals_of(state: GameState) -> list[tuple[Any, int, tuple[int, ...]]]:
    return [(g.goal, g.side, g.seats) for g in all_objectives(state) if g.goal is not Goal.SET]


@pytest.mark.parametrize("name", ["partnership", "three-handed", "double-deck", "two-handed"])
def test_typed_hands_are_answered_like_their_place_in_a_record(
    acesaround: Command, tmp_path: Path, name: str
) -> None:
    rules = get(name)
    record = played(rules, 11)
    path = file_of(tmp_path / "game.jsonl", record)
    for words, state, _ in list(endings(record, 3))[1::3]:
        phase, now, deal = state.phase, tally(state), state.deal
        assert isinstance(phase, Playing)
        typed = ["--variant", name, "--trump", str(deal.trump), "--lead", str(phase.leader)]
        for seat in range(rules.seats):
            typed += ["--hand", format_cards(state.hand(seat))]
        if phase.cards:
            typed += ["--trick", format_cards(phase.cards)]
        typed += ["--meld", ",".join(map(str, now.meld)), "--won", ",".join(map(str, now.play))]
        if deal.declarer is not None:
            typed += ["--declarer", str(deal.declarer), "--bid", str(deal.bid)]
        there, here = answer(acesaround, path, *words), answer(acesaround, *typed)
        for found in (there, here):
            for key in ("place", "nodes", "seconds"):
                del found[key]
            for card in found["cards"]:
                del card["played"], card["nodes"]
        assert here == there


def test_the_principal_line_is_legal_and_wins_the_stated_points(
    acesaround: Command, tmp_path: Path
) -> None:
    for rules in TABLES[:7]:
        record = played(rules, 21)
        words, state, _ = next(iter(endings(record, 4)))
        found = answer(acesaround, file_of(tmp_path / "a", record), *words, "--full-line")
        side, before = rules.side_of(found["turn"]), state
        for seat, card in found["line"]:
            assert game.decision(state).seat == seat
            before, state = state, game.last_state_of_deal(state, PLAY_ACTIONS[Card(card)])
        assert not any(state.hands)
        assert any(before.hands)
        assert tally(state).play[side] == found["won"] + found["low"]


def test_for_selects_the_seats_whose_points_are_answered(
    acesaround: Command, tmp_path: Path
) -> None:
    record = played(get("three-handed"), 4)
    path = file_of(tmp_path / "game.jsonl", record)
    words, state, _ = next(iter(endings(record, 4)))
    declarer, left = state.deal.declarer, None
    for whom, seats in (
        *((str(seat), [seat]) for seat in range(3)),
        ("declarer", [declarer]),
        ("defenders", [seat for seat in range(3) if seat != declarer]),
    ):
        found = answer(acesaround, path, *words, "--for", whom)
        assert found["for"] == seats
        if whom == "declarer":
            left = found["low"]
        if whom == "defenders":  # what one side wins the other does not
            position = Position.from_state(state, 0)
            cards = [*position.trick, *(card for hand in position.hands for card in hand)]
            total = (
                sum(position.setup.points[card.rank] for card in cards)
                + position.setup.last_trick_points
            )
            assert found["low"] == total - (left or 0)
    own = answer(acesaround, path, *words)
    assert own["for"] == [own["turn"]]
    against = acesaround("solve", path, *words, "--for", str((own["turn"] + 1) % 3)).out
    assert f"(seat {own['turn']}, on turn, tries to keep them low)" in against


# The place


def test_places_count_from_1_and_default_to_the_start_of_the_last_deal(
    acesaround: Command, tmp_path: Path
) -> None:
    assert answer(acesaround, PARTNERSHIP, "--deal", "1", "--trick", "9")["place"] == {
        "game": 1,
        "deal": 1,
        "trick": 9,
        "card": 1,
    }
    both = file_of(tmp_path / "two", played(get("five-card"), 1), played(get("seven-card"), 2))
    assert answer(acesaround, both)["place"] == {"game": 1, "deal": 1, "trick": 1, "card": 1}
    assert answer(acesaround, both, "--game", "2")["variant"] == "seven-card"
    # The second deal of that game was thrown in.
    assert position_from_record(golden("three-handed")).number == (1, 1, 1, 1)
    # With a stock the strict law begins later.
    assert position_from_record(golden("two-handed")).number == (1, 1, 13, 1)


def test_a_position_with_a_last_meld_can_be_solved(tmp_path: Path) -> None:
    rules = get("two-handed-traditional", options={"meld_after_stock": True, "hands": 1})
    for seed in range(4):
        path = tmp_path / str(seed)
        file_of(path, played(rules, seed))
        place = position_from_record(path)
        assert place.number == (1, 1, 13, 1)
        assert isinstance(place.action_taken, Play)
        assert place.action_taken in game.decision(place.state).legal
        assert isinstance(place.state.phase, Playing)


def test_json_and_text_records_are_read_from_files_and_standard_input(
    acesaround: Command, tmp_path: Path
) -> None:
    record = played(get("five-card"), 3)
    wanted = acesaround("solve", file_of(tmp_path / "game", record)).out
    assert wanted
    for form in (to_text(record).encode(), (tmp_path / "game").read_bytes()):
        assert acesaround("solve", "-", stdin=form).out == wanted


def test_a_deal_in_progress_is_solved_at_its_position(acesaround: Command, tmp_path: Path) -> None:
    rules = get("five-card")
    recorder = Recorder(rules, ["A", "B", "C", "D"])
    for turn in turns(rules, 3, deals=1):
        if turn.before.deal.tricks and isinstance(turn.before.phase, Playing):
            break
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    path = file_of(tmp_path / "game", recorder.record)
    found = answer(acesaround, path, "--trick", "2")
    assert not any(card["played"] for card in found["cards"])
    assert "has 2" in acesaround.refuses("solve", path, "--trick", "3")


def test_a_concession_or_renege_at_the_place_is_reported(
    acesaround: Command, tmp_path: Path
) -> None:
    answered = acesaround("solve", PARTNERSHIP)
    assert "In the game seat 3 gave up.\n" in answered.out
    rules = get("five-card", options={"renege": "penalty"})
    recorder = Recorder(rules, ["A", "B", "C", "D"])
    for turn in turns(rules, 3, deals=1):
        state, action = turn.before, turn.action
        if isinstance(state.phase, Playing):
            legal = {a.card for a in game.decision(state).legal if isinstance(a, Play)}
            illegal = set(state.hand(state.phase.turn)) - legal
            if illegal:
                action = PLAY_ACTIONS[min(illegal)]
        _, events = game.apply(state, action)
        recorder.add(state, turn.decision.seat, action, events)
        if action is not turn.action:
            break
    path = file_of(tmp_path / "game", recorder.record)
    at = recorder.record.deals[0]
    last = len(at.tricks) + 1
    card = sum(entry[1] == "play" for entry in at.actions) - 4 * len(at.tricks)
    said = acesaround("solve", path, "--trick", str(last), "--card", str(card)).out
    assert f"played {at.actions[-1][2]}, which is not legal." in said


# Bounds


def test_bounds_are_marked_as_bounds(acesaround: Command) -> None:
    words = (PARTNERSHIP, "--deal", "1", "--trick", "2")
    exact = answer(acesaround, *words)
    assert exact["exact"]
    bounds = answer(acesaround, *words, "--nodes", "300")
    assert not bounds["exact"]
    assert not bounds["stopped"]
    assert bounds["nodes"] <= 300
    assert bounds["low"] <= exact["low"] <= bounds["high"]
    assert bounds["low"] < bounds["high"]
    assert bounds["line"] == []
    for sure, known in zip(exact["cards"], bounds["cards"], strict=True):
        assert known["exact"] is (known["low"] == known["high"])
        assert known["low"] <= sure["low"] <= known["high"]
        assert known["best"] in (None, sure["best"])
        assert known["loss"] in (None, sure["loss"])
        for here, there in zip(known["reached"], sure["reached"], strict=True):
            assert here in (None, there)
    text = acesaround("solve", *words, "--nodes", "300").out
    assert f"win at least {bounds['low']} and at most {bounds['high']} from here on." in text
    assert "so these are bounds" in text
    assert "perhaps best" in text
    assert "bounds" not in acesaround("solve", *words).out


def test_an_interrupt_prints_the_bounds_so_far(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second interrupt would end the program."""
    before = signal.getsignal(signal.SIGINT)
    handlers: list[Any] = []

    def interrupt(effort: SolveBudget) -> Any:
        def told(answers: Mapping[Card, ValueInterval], nodes: int) -> None:
            if not handlers:
                os.kill(os.getpid(), signal.SIGINT)
            handlers.append(signal.getsignal(signal.SIGINT))

        return contextlib.nullcontext(told)

    monkeypatch.setattr(progress, "show_bounds", interrupt)
    given = acesaround("solve", str(golden("double-deck")), "--json")
    assert given.status == 0
    found = json.loads(given.out)
    assert found["stopped"]
    assert not found["exact"]
    assert handlers[0] is before
    assert signal.getsignal(signal.SIGINT) is before
    handlers.clear()
    assert "The solver was stopped after" in acesaround("solve", str(golden("double-deck"))).out


# The progress that people see while they wait


class TerminalStream(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def use_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], TerminalStream]:
    """Return a function that makes standard error a terminal."""
    monkeypatch.setenv("TERM", "xterm")

    def made() -> TerminalStream:
        shown = TerminalStream()
        monkeypatch.setattr("sys.stderr", shown)
        return shown

    return made


def test_bounds_are_shown_during_a_long_search(
    acesaround: Command, use_terminal: Callable[[], TerminalStream], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = use_terminal()
    words = ("solve", str(golden("double-deck")), "--nodes", "200000")
    monkeypatch.setattr(budget, "_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_DELAY_SECONDS", 1e9)
    acesaround(*words)
    assert shown.getvalue() == ""
    monkeypatch.setattr(progress, "_DELAY_SECONDS", 0)
    acesaround(*words)
    assert "cards solved" in shown.getvalue()


def test_the_first_use_reports_compiling(
    use_terminal: Callable[[], TerminalStream], monkeypatch: pytest.MonkeyPatch
) -> None:
    warmed: list[int] = []

    def compiling(told: warmup.ProgressCallback | None, only: Sequence[str]) -> None:
        assert told is not None
        told(0, len(only), only[0])
        warmed.append(1)

    monkeypatch.setattr(warmup, "warm_up", compiling)
    monkeypatch.setattr(warmup, "compile_solver", lambda: warmed.append(2))
    monkeypatch.setattr(warmup, "is_ready", lambda only: False)
    shown = use_terminal()
    progress.compile_kernels()
    assert "Compiling the kernels, once: the solver" in shown.getvalue()
    monkeypatch.setattr(warmup, "is_ready", lambda only: True)
    shown = use_terminal()
    progress.compile_kernels()
    assert warmed == [1, 2, 2]
    assert shown.getvalue() == ""


# What cannot be solved

HANDS = ("--variant", "partnership", "--trump", "H")


def four(*hands: str) -> tuple[str, ...]:
    return tuple(word for hand in hands for word in ("--hand", hand))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--variant is missing"),
        (("--variant", "partnership"), "--trump is missing"),
        (HANDS, "--hand is missing"),
        (("no.jsonl",), "no.jsonl: No such file"),
        ((PARTNERSHIP, "--game", "2"), "there is no game 2"),
        ((PARTNERSHIP, "--game", "0"), "0 is less than 1"),
        ((PARTNERSHIP, "--deal", "3"), "there is no deal 3 in it: 2 deals in all"),
        ((PARTNERSHIP, "--deal", "1", "--trick", "13"), "no trick 13: it has 12"),
        ((PARTNERSHIP, "--deal", "1", "--trick", "0"), "--trick cannot be '0'"),
        ((PARTNERSHIP, "--trick", "AS"), "--trick cannot be 'AS'"),
        ((PARTNERSHIP, "--deal", "1", "--card", "5"), "trick 1: there is no card 5"),
        ((str(golden("three-handed")), "--deal", "2"), "ended without play: thrown-in"),
        ((str(golden("two-handed")), "--trick", "3"), "tricks 13 to 24 can be solved"),
        ((PARTNERSHIP, "--hand", "AS"), "leave out --hand"),
        ((PARTNERSHIP, "--option", "target=9"), "leave out --option"),
        ((PARTNERSHIP, "--for", "4"), "--for cannot be '4': expected a seat (0, 1, 2, 3)"),
        ((PARTNERSHIP, "--for", "me"), "--for cannot be 'me'"),
        ((str(golden("two-handed")), "--for", "declarer"), "no bid in this deal"),
        ((PARTNERSHIP, "--seconds", "0"), "'0' is not a number of seconds"),
        ((PARTNERSHIP, "--seconds", "nan"), "'nan' is not a number of seconds"),
        ((PARTNERSHIP, "--nodes", "0"), "--nodes: 0 is less than 1"),
        ((PARTNERSHIP, "--memory", "0"), "--memory: 0 is less than 1"),
        ((PARTNERSHIP, "--memory", "9" * 18), "There is not enough memory for --memory"),
        ((*HANDS, "--deal", "1", *four("AS", "TS", "KS", "QS")), "--deal is for a position"),
        (("--variant", "x", "--trump", "H", "--hand", "AS"), "'x' is not a variant"),
        (("--variant", "partnership", "--trump", "X", "--hand", "AS"), "'X' is not a suit"),
        ((*HANDS, *four("AS", "TS", "KS")), "3 hands given for 4 players"),
        ((*HANDS, "--players", "3", *four("AS", "TS", "KS")), "takes 4 players"),
        ((*HANDS, *four("AS", "TS KS", "KS", "QS")), "different sizes: seat 0 has 1, seat 1 has 2"),
        ((*HANDS, *four("AS", "AS", "AS", "QS")), "too many AS: the deck has 2"),
        ((*HANDS, *four("1S", "AS", "AS", "QS")), "'1S' is not a card"),
        ((*HANDS, *four("", "", "", "")), "The hands are empty"),
        ((*HANDS, *four(*["AS " * 13] * 4)), "13 cards are too many"),
        ((*HANDS, "--lead", "4", *four("AS", "TS", "KS", "QS")), "no seat 4 to lead"),
        ((*HANDS, "--trick", "9S 9S JS JS", *four("AS", "TS", "KS", "QS")), "complete with 4"),
        ((*HANDS, "--trick", "9S", *four("AS", "TS", "KS", "QS")), "different sizes for this"),
        ((*HANDS, "--trick", "9S 9H", *four("", "AS", "KS", "QS")), "different sizes for this"),
        (
            (*HANDS, "--trick", "KS QS", *four("QH", "AS", "JS KD", "JS AD")),
            "QS of seat 1: You have a card that beats the K",
        ),
        ((*HANDS, "--bid", "250", *four("AS", "TS", "KS", "QS")), "who bid it"),
        ((*HANDS, "--declarer", "1", *four("AS", "TS", "KS", "QS")), "how much was bid"),
        (
            (*HANDS, "--declarer", "4", "--bid", "250", *four("AS", "TS", "KS", "QS")),
            "no seat 4 to bid",
        ),
        ((*HANDS, "--won", "3", *four("AS", "TS", "KS", "QS")), "1 number for 2 sides"),
        ((*HANDS, "--won", "3,x", *four("AS", "TS", "KS", "QS")), "'x' is not a whole number"),
        ((*HANDS, "--won", "200,90", *four("AS", "TS", "KS", "QS")), "worth 210"),
        (
            ("--variant", "double-deck", "--trump", "H", *four("9S", "TS", "KS", "QS")),
            "too many 9S: the deck has 0",
        ),
        (
            (*("--variant", "two-handed", "--trump", "H", "--bid", "9"), "--declarer", "0"),
            "--hand is missing",
        ),
        (
            (
                *("--variant", "two-handed", "--trump", "H", "--bid", "9", "--declarer", "0"),
                *four("AS", "TS"),
            ),
            "no auction, and so no bid",
        ),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_solved_are_refused_in_one_line(
    acesaround: Command, words: Sequence[str], said: str
) -> None:
    assert said in acesaround.refuses("solve", *words)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "The file is empty"),
        (b"hello", "is no game"),
        (b"{", "not JSON"),
        (b'{"format": "acesaround/2"}', "not a game record"),
    ],
)
def test_invalid_records_are_refused_in_one_line(
    acesaround: Command, given: bytes, said: str
) -> None:
    assert said in acesaround.refuses("solve", "-", stdin=given)


def test_a_record_is_read_only_as_far_as_the_place(acesaround: Command, tmp_path: Path) -> None:
    record = load(golden("partnership"))
    record.deals[1].actions[5] = [0, "play", "AS"]
    path = file_of(tmp_path / "game", record)
    assert acesaround("solve", path, "--deal", "1", "--trick", "9").status == 0
    assert "deal 2, action 6" in acesaround.refuses("solve", path)


def test_an_unbroken_trump_cannot_be_led(acesaround: Command) -> None:
    words = [
        "--variant",
        "five-card",
        "--players",
        "2",
        "--trump",
        "H",
        *four("AH 9S", "TH JS"),
    ]
    assert [c["card"] for c in answer(acesaround, *words, "--unbroken")["cards"]] == ["9S"]
    assert [c["card"] for c in answer(acesaround, *words)["cards"]] == ["9S", "AH"]


@pytest.mark.parametrize("module", ["numba", "numpy"])
def test_a_missing_package_is_named_with_its_extra(module: str) -> None:
    program = (
        f"import sys\nsys.modules[{module!r}] = None\n"
        "from acesaround.cli import main\n"
        f"sys.exit(main(['solve', {PARTNERSHIP!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert the_line(done.stderr) == (
        f"acesaround: Solving needs {module}, which is not installed: pip install "
        "'acesaround[fast]'."
    )


def test_import_errors_of_incompatible_packages_are_shown(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 2.4 or less')")
    done = subprocess.run(
        [sys.executable, "-m", "acesaround", "solve", PARTNERSHIP],
        env={**ENVIRONMENT, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert the_line(done.stderr) == (
        "acesaround: Solving needs packages that do not work together: "
        "Numba needs NumPy 2.4 or less."
    )
