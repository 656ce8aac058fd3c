"""Statistics of many deals, compared with exact values and with the single deals."""

from __future__ import annotations

import ctypes
import io
import json
import os
import signal
import statistics
import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from acesaround import odds, variants
from acesaround.errors import RulesError
from acesaround.fast import playouts, warmup
from acesaround.fast.playouts import DealResults
from acesaround.odds import Estimate, batch, estimates, plot, text_report
from acesaround.reporting import console
from acesaround.rules import AllPass, Rules
from acesaround.rules.scoring import Outcome, Tally, outcome_and_changes
from acesaround.variants import VARIANTS
from tests.cli_runner import ENVIRONMENT, Command, ended, program, the_line
from tests.variant_sample import sample_variants
from tests.waiting import wait_until

TABLES: list[Rules] = [
    *VARIANTS.values(),
    variants.get("five-card", 9),
    variants.get("two-handed", 4, {"deck": "24-each"}),
    variants.get("three-handed", None, {"marriage_needed": True, "card_points": "traditional"}),
    variants.get("double-deck-classic", None, {"min_twenty": True, "set_pays_defenders": True}),
]
EVERY = pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.variant}-{rules.seats}")
POLICIES = pytest.mark.parametrize("policy", ["random", "heuristic"])
BIDDING = pytest.mark.parametrize(
    "rules", [rules for rules in TABLES if rules.auction], ids=lambda rules: rules.variant
)


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def is_close(estimate: Estimate, exact: Fraction) -> bool:
    """Return True within 5 standard errors, 2.5 times half the interval of 95%."""
    assert estimate.error is not None
    return abs(estimate.value - exact) <= 2.55 * estimate.error + 1e-9


# Exact values


def count_hands_with_runs(rules: Rules) -> list[int]:
    """Return the numbers of hands with 0 and 1 runs; copies of a card count as different."""
    copies, size = rules.deck.copies, rules.hand_size
    of_suit = np.zeros((size + 1, 3), object)  # cards of a suit, runs of it: 0, 1, 2 or more
    for counts in product(range(copies + 1), repeat=5):
        ways, number = np.prod([comb(copies, held) for held in counts]), min(*counts, 2)
        for nines in range(copies * (rules.deck.ranks == 6) + 1):
            if sum(counts) + nines <= size:
                of_suit[sum(counts) + nines, number] += int(ways) * comb(copies, nines)
    hands = np.zeros((size + 1, 2), object)
    hands[0, 0] = 1
    for _ in range(4):
        none = np.convolve(hands[:, 0], of_suit[:, 0])
        one = np.convolve(hands[:, 1], of_suit[:, 0]) + np.convolve(hands[:, 0], of_suit[:, 1])
        hands = np.stack([none[: size + 1], one[: size + 1]], axis=1)
    return [int(hands[size, 0]), int(hands[size, 1])]


def check_runs(rules: Rules, deals: int) -> None:
    hands = comb(rules.deck.size, rules.hand_size)
    none, one = count_hands_with_runs(rules)
    found = odds.estimate_runs(rules, playouts.simulate_deals(rules, deals, 5))
    assert is_close(found.hand, 1 - Fraction(none, hands))
    if found.two.value:
        assert is_close(found.two, 1 - Fraction(none + one, hands))
    else:
        assert 1 - Fraction(none + one, hands) < Fraction(5, deals)
    assert found.hand.value <= found.side.value <= found.deal.value
    assert (found.side == found.hand) == (not rules.has_partners)


@EVERY
def test_runs_have_their_exact_frequency(rules: Rules) -> None:
    check_runs(rules, 20_000)


@pytest.mark.soak
@EVERY
def test_runs_have_their_exact_frequency_in_millions_of_hands(rules: Rules) -> None:
    check_runs(rules, 4_000_000)


def count_hands_without_meld(rules: Rules) -> int:
    """Return the number of hands of 48 cards without meld in any trump, by distinct copies."""
    kinds: dict[int, int] = {}
    for held in product(product((0, 1), repeat=4), repeat=4):  # A, K, Q, J of each suit
        spades, _, diamonds, _ = held
        if any(king and queen for _, king, queen, _ in held) or (spades[2] and diamonds[3]):
            continue
        if not any(all(suit[rank] for suit in held) for rank in range(4)):
            number = sum(map(sum, held))
            kinds[number] = kinds.get(number, 0) + 1
    ways = 0
    for number, patterns in kinds.items():  # each kind once or twice, no nine, and any tens
        for twice in range(number + 1):
            tens = rules.hand_size - number - twice
            if tens >= 0:
                once = 2 ** (number - twice)
                ways += patterns * comb(number, twice) * once * comb(8, tens)
    return ways


def check_hands_without_meld(variant: str, deals: int) -> None:
    rules = VARIANTS[variant]
    exact = Fraction(count_hands_without_meld(rules), comb(48, rules.hand_size))
    found = odds.estimate_melds(rules, playouts.simulate_deals(rules, deals, 8))
    assert is_close(found.dealt.nothing, exact)
    assert found.dealt.shares[0] == pytest.approx(found.dealt.nothing.value)


SINGLE = pytest.mark.parametrize(
    "variant", ["three-handed", "five-card", "seven-card", "partnership"]
)


@SINGLE
def test_hands_without_meld_have_their_exact_frequency(variant: str) -> None:
    check_hands_without_meld(variant, 50_000)


@pytest.mark.soak
@SINGLE
def test_hands_without_meld_have_their_exact_frequency_in_millions_of_hands(variant: str) -> None:
    check_hands_without_meld(variant, 4_000_000)


def test_about_95_of_100_intervals_have_the_exact_value() -> None:
    """Hands of one deal depend on each other, so single hands would give too wide intervals."""
    rules = VARIANTS["double-deck"]
    exact = 1 - Fraction(count_hands_with_runs(rules)[0], comb(80, 20))
    held = 0
    for seed in range(100):
        found = odds.estimate_runs(rules, playouts.simulate_deals(rules, 300, seed)).hand
        assert found.error is not None
        held += abs(found.value - exact) <= found.error
    assert 88 <= held <= 99


# Comparison with single deals


def side_sums(rules: Rules, of_seats: Any, deal: int) -> tuple[int, ...]:
    return tuple(sum(int(of_seats[deal, seat]) for seat in side) for side in rules.sides)


@BIDDING
@POLICIES
def test_made_bids_follow_the_scoring_of_each_deal(rules: Rules, policy: str) -> None:
    deals = playouts.simulate_deals(rules, 600, 2, policy)
    assert rules.auction is not None
    bids = odds.default_bids(rules, rules.auction.lowest_bid * 2)
    times = dict.fromkeys(bids, 0)
    for deal in range(600):
        tally = Tally(
            meld=side_sums(rules, deals.meld_points, deal),
            dix_points=side_sums(rules, deals.dix_points, deal),
            play=tuple(map(int, deals.play_points[deal])),
            has_counter=tuple(map(bool, deals.won_counter[deal])),
        )
        early = Outcome.NO_MARRIAGE if deals.trump[deal] < 0 else None
        declarer = rules.side_of(int(deals.declarer[deal]))
        for bid in bids:
            outcome, _ = outcome_and_changes(rules, tally, early, declarer, bid)
            times[bid] += outcome is Outcome.MADE
    assert odds.bid_success_rate(rules, deals, bids) == pytest.approx(
        [times[bid] / 600 for bid in bids]
    )
    assert 0 < times[bids[0]] < 600
    told = odds.compute_odds(rules, deals, policy, 2, bids).bids
    assert told is not None
    assert [bid.bid for bid in told] == list(bids)
    assert [bid.made.value for bid in told] == pytest.approx([times[b] / 600 for b in bids])


@EVERY
@POLICIES
def test_melds_equal_those_of_single_deals(rules: Rules, policy: str) -> None:
    deals = playouts.simulate_deals(rules, 401, 3, policy)
    found = odds.estimate_melds(rules, deals)
    lists: dict[str, list[int]] = {
        "dealt": deals.best_meld.ravel().tolist(),
        "declarer": [],
        "others": [],
    }
    for deal in range(401):
        if deals.trump[deal] < 0:
            continue
        declarer = rules.side_of(int(deals.declarer[deal])) if rules.auction else None
        for side, meld in enumerate(side_sums(rules, deals.meld_points, deal)):
            lists["declarer" if side == declarer else "others"].append(meld)
    for name, numbers in lists.items():
        meld = getattr(found, name)
        if rules.auction is None and name == "declarer":
            assert meld is None
            continue
        assert meld.mean.value == pytest.approx(statistics.mean(numbers))
        assert meld.median == statistics.median(numbers)
        assert meld.nothing.value == pytest.approx(numbers.count(0) / len(numbers))
        ends = [*found.steps[1:], 10**9]
        assert meld.shares == pytest.approx(
            [
                sum(low <= number < end for number in numbers) / len(numbers)
                for low, end in zip(found.steps, ends, strict=True)
            ]
        )


@EVERY
@POLICIES
def test_leads_equal_those_of_single_deals(rules: Rules, policy: str) -> None:
    deals = playouts.simulate_deals(rules, 400, 4, policy)
    mine: list[int] = []
    others: list[float] = []
    order: list[int] = []
    for deal in np.flatnonzero(deals.trump >= 0):
        play = list(map(int, deals.play_points[deal]))
        mine.append(play.pop(rules.side_of(int(deals.leader[deal]))))
        others.append(statistics.mean(play))
        order.append((mine[-1] > max(play)) - (mine[-1] < max(play)))
    found = odds.lead_advantage(rules, deals)
    assert found is not None
    for estimate, numbers in ((found.leader, mine), (found.others, others)):
        error = 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5
        assert (estimate.value, estimate.error) == pytest.approx((statistics.mean(numbers), error))
    assert found.ahead.value == pytest.approx(order.count(1) / len(order))
    assert found.level.value == pytest.approx(order.count(0) / len(order))


def test_the_batch_size_does_not_change_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = VARIANTS["double-deck"]
    deals = playouts.simulate_deals(rules, 500, 1)
    whole = odds.compute_odds(rules, deals, "random", 1)
    monkeypatch.setattr(estimates, "_DEALS_PER_CHUNK", 7)
    assert odds.compute_odds(rules, deals, "random", 1) == whole


def test_one_deal_has_no_interval_and_no_deals_are_refused() -> None:
    rules = VARIANTS["double-deck"]
    one = playouts.simulate_deals(rules, 1)
    assert odds.compute_odds(rules, one, "random", 0).runs.hand.error is None
    for question in (odds.estimate_melds, odds.estimate_runs):
        with pytest.raises(RulesError, match="no deals to count"):
            question(rules, playouts.simulate_deals(rules, 0))


def test_without_playing_only_statistics_of_cards_are_given() -> None:
    rules = VARIANTS["double-deck"]
    deals = playouts.simulate_deals(rules, 500, 1)
    unplayed = DealResults._make(column[deals.trump < 0] for column in deals)
    assert len(unplayed.trump) > 5
    found = odds.compute_odds(rules, unplayed, "random", 1)
    assert (found.played, found.lead, found.melds.declarer, found.melds.others) == (
        0,
        None,
        None,
        None,
    )
    assert found.bids is not None
    assert {bid.made.value for bid in found.bids} == {0}
    assert "100.0% are not played" in text_report.report_text(found)


# Bids


def test_default_bids_are_legal_round_and_few() -> None:
    assert odds.default_bids(VARIANTS["partnership"], 300) == (250, 260, 270, 280, 290, 300)
    assert odds.default_bids(VARIANTS["partnership"], 500) == (250, 260, 280, *range(300, 501, 20))
    assert odds.default_bids(VARIANTS["double-deck"], 60) == tuple(range(50, 61))
    assert odds.default_bids(VARIANTS["double-deck"], 130) == tuple(range(50, 131, 10))
    assert odds.default_bids(VARIANTS["five-card"], 20) == (1, *range(2, 21, 2))
    assert odds.default_bids(VARIANTS["three-handed"], 0) == (250,)
    assert odds.default_bids(variants.get("double-deck", None, {"lowest_bid": 53}), 90) == (
        *(53, 55),
        *range(60, 91, 5),
    )


def test_a_stuck_bid_below_the_lowest_is_accepted() -> None:
    base = VARIANTS["double-deck"]
    assert base.auction is not None
    auction = msgspec.structs.replace(base.auction, all_pass=AllPass.DEALER, stuck_bid=41)
    rules = msgspec.structs.replace(base, auction=auction)
    assert odds.default_bids(rules, 53) == (41, 50, 51, 52, 53)
    odds.check_bids(rules, [41, 50])
    with pytest.raises(RulesError, match="42 is not a bid of double-deck: the lowest is 50"):
        odds.check_bids(rules, [42])


@pytest.mark.parametrize(
    ("variant", "bids", "said"),
    [
        (
            "partnership",
            [250, 251],
            "251 is not a bid of partnership: the nearest are 250 and 260.",
        ),
        ("partnership", [240], "240 is not a bid of partnership: the lowest is 250."),
        ("double-deck", [61], "61 is not a bid of double-deck: the nearest are 60 and 65."),
        ("double-deck", [], "Name at least one bid."),
        ("two-handed", [250], "Nobody bids in two-handed."),
    ],
)
def test_illegal_bids_are_refused(variant: str, bids: list[int], said: str) -> None:
    with pytest.raises(RulesError) as caught:
        odds.check_bids(VARIANTS[variant], bids)
    assert str(caught.value) == said


def test_without_an_auction_there_are_no_bids() -> None:
    rules = VARIANTS["two-handed"]
    deals = playouts.simulate_deals(rules, 10)
    for question in (
        odds.declarer_points,
        lambda rules, deals: odds.bid_success_rate(rules, deals, [250]),
    ):
        with pytest.raises(RulesError, match="Nobody bids in two-handed"):
            question(rules, deals)


# The table


def test_numbers_are_rounded_to_their_interval() -> None:
    shown = {
        (123.456, None): "123.5",
        (123.456, 12.0): "123 ± 12",
        (123.456, 0.96): "123.5 ± 1.0",
        (123.456, 0.08): "123.46 ± 0.08",
        (0.0, 0.0): "0.0",
    }
    for (value, error), text in shown.items():
        assert text_report.format_number(Estimate(value, error)) == text
    assert text_report.format_share(Estimate(0.00004, 0.000007)) == "0.0040% ± 0.0007"
    assert text_report.format_share(Estimate(0.97364123, 1e-9)) == "97.3641% ± 0.0000"


def test_rows_of_melds_are_named() -> None:
    assert list(text_report.row_labels((0, 1, 2, 5, 10))) == [
        "nothing",
        "1",
        "2-4",
        "5-9",
        "10 or more",
    ]
    assert list(text_report.row_labels((0, 1))) == ["nothing", "1 or more"]


# The command


@pytest.mark.parametrize("variant", VARIANTS)
@POLICIES
def test_the_table_has_all_statistics_in_80_columns(
    acesaround: Command, variant: str, policy: str
) -> None:
    words = ("simulate", variant, "--fast", "--deals", "3000", "--policy", policy)
    shown = acesaround(*words)
    assert shown.err == ""
    lines = shown.out.splitlines()
    assert max(map(len, lines)) < 80
    assert all(line == line.rstrip() for line in lines)
    assert (
        lines[0]
        == f"{variant}, {VARIANTS[variant].seats} players: 3000 deals, policy {policy}, seed 0"
    )
    for said in ("Points melded", "a hand as dealt", "Chance of a run", "Points in play"):
        assert said in shown.out
    assert ("How often a bid is made" in shown.out) == (VARIANTS[variant].auction is not None)
    assert ("Nobody bids in" in shown.out) == (VARIANTS[variant].auction is None)


@pytest.mark.parametrize("variant", VARIANTS)
def test_json_has_the_statistics_of_the_library(acesaround: Command, variant: str) -> None:
    words = ["simulate", variant, "--fast", "--deals", "500", "--seed", "-4", "--json"]
    one = acesaround(*words, "--threads", "1").out
    assert acesaround(*words).out == one
    rules = VARIANTS[variant]
    found = odds.compute_odds(
        rules, playouts.simulate_deals(rules, 500, -4, "heuristic"), "heuristic", -4
    )
    assert msgspec.json.decode(one, type=odds.Odds) == found


def test_bids_and_options_of_the_command_apply(acesaround: Command) -> None:
    words = ("simulate", "double-deck", "--fast", "--deals", "300", "--bids", "90,60,65,60")
    found = json.loads(acesaround(*words, "--option", "exchange=2", "--json").out)
    assert [bid["bid"] for bid in found["bids"]] == [60, 65, 90]
    assert found["options"] == {"exchange": 2}
    assert ", exchange=2: 300 deals" in acesaround(*words, "--option", "exchange=2").out


def test_defaults_are_100000_deals_and_the_heuristic_policy(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def deals(rules: Rules, number: int, seed: int, policy: str, **more: Any) -> DealResults:
        asked.append((number, seed, policy))
        return playouts.simulate_deals(rules, 5, seed, policy)

    monkeypatch.setattr(batch, "simulate_deals", deals)
    assert acesaround("simulate", "two-handed", "--fast").status == 0
    assert asked[-1] == (100_000, 0, "heuristic")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "1", "--fast"], "--fast plays single deals: leave out --games."),
        (["--bots", "random", "--fast"], "--fast plays single deals: leave out --bots."),
        (["--record", "a", "--fast"], "--fast plays single deals: leave out --record."),
        (["--max-deals", "2", "--fast"], "--fast plays single deals: leave out --max-deals."),
        (["--games", "1", "--deals", "2"], "--deals needs --fast."),
        (["--games", "1", "--policy", "heuristic"], "--policy needs --fast."),
        (["--games", "1", "--threads", "1"], "--threads needs --fast."),
        (["--games", "1", "--bids", "250"], "--bids needs --fast."),
        (["--games", "1", "--plot", "a.png"], "--plot needs --fast."),
        (["--games", "1", "--json"], "--json needs --fast."),
        ([], "Give --games N, or --fast for single deals."),
        (["--fast", "--deals", "0"], "--deals: 0 is less than 1"),
        (["--fast", "--deals", "9" * 18], "do not fit into memory: ask for at most"),
        (["--fast", "--threads", "0"], "--threads: 0 is less than 1"),
        (
            ["--fast", "--policy", "best"],
            "'best' is not a policy: expected one of random, heuristic",
        ),
        (["--fast", "--policy", ""], "'' is not a policy"),
        (["--fast", "--bids", "x"], "'x' is not a whole number"),
        (["--fast", "--bids", ""], "Name at least one bid."),
        (["--fast", "--bids", "255"], "255 is not a bid of partnership"),
        (["--fast", "--plot", "a.gif"], "a.gif is not a name for a plot: it must end in .png or"),
        (["--fast", "--plot", "png"], "png is not a name for a plot"),
        (["--fast", "--plot", "none/a.png"], "none/a.png: No such file or directory."),
        (["--fast", "--plot", "folder.svg"], "folder.svg: Is a directory."),
        (["--fast", "--players", "3"], "takes 4 players"),
    ],
)
def test_invalid_arguments_are_refused_before_playing(
    acesaround: Command,
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "folder.svg").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batch, "simulate_deals", refuse_to_play(playouts.simulate_deals))
    assert said in acesaround.refuses("simulate", "partnership", *words)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]


def refuse_to_play(play: Any) -> Any:
    def deals(rules: Rules, number: int, *rest: Any, **more: Any) -> DealResults:
        assert number == 0  # which looks at the policy and at the size of a deal
        found: DealResults = play(rules, number, *rest, **more)
        return found

    return deals


def test_a_memory_error_is_one_line(acesaround: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    play = playouts.simulate_deals

    def deals(rules: Rules, number: int, *rest: Any, **more: Any) -> DealResults:
        if number:
            raise MemoryError
        return play(rules, number, *rest, **more)

    monkeypatch.setattr(batch, "simulate_deals", deals)
    said = acesaround.refuses("simulate", "partnership", "--fast", "--deals", "77")
    assert said == "acesaround: There is not enough memory for 77 deals."


@pytest.mark.parametrize(
    ("module", "words", "said"),
    [
        ("numba", [], "Fast simulation needs numba, which is not installed: pip install"),
        (
            "matplotlib",
            ["--plot", "a.png"],
            "Plotting needs matplotlib, which is not installed: pip",
        ),
    ],
)
def test_missing_packages_are_named(
    module: str, words: list[str], said: str, tmp_path: Path
) -> None:
    code = (
        f"import sys\nsys.modules[{module!r}] = None\n"
        "from acesaround.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "simulate", "partnership", "--fast", *words],
        env=ENVIRONMENT,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert said in the_line(done.stderr)
    assert list(tmp_path.iterdir()) == []


PROGRAM_WITH_PROGRESS = """
import sys
from pathlib import Path
from acesaround import cli, odds

playing, *words = sys.argv[1:]
play = odds.play_deals

def played(*given, on_progress, **more):
    def so_far(number):
        on_progress(number)
        Path(playing).touch()
    return play(*given, on_progress=so_far, **more)

odds.play_deals = played
sys.exit(cli.main(words))
"""


def test_an_interrupt_is_one_line_and_leaves_the_old_plot(tmp_path: Path) -> None:
    playing, folder = tmp_path / "playing", tmp_path / "plots"
    folder.mkdir()
    path = folder / "plot.png"
    path.write_text("before")
    # More deals than can be played before the interrupt.
    words = ("simulate", "double-deck", "--fast", "--deals", "20000000", "--plot", str(path))
    with program("-c", PROGRAM_WITH_PROGRESS, str(playing), *words, stdout=-1, stderr=-1) as run:
        wait_until(lambda: playing.exists() or run.poll() is not None)
        run.send_signal(signal.SIGINT)
        status, out, err = ended(run)
    assert (status, out) == (130, b"")
    assert the_line(err.decode()) == "acesaround: interrupted."
    assert path.read_text() == "before"
    assert list(folder.iterdir()) == [path]


class TerminalStream(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_the_number_of_deals(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = TerminalStream()
    monkeypatch.setattr("sys.stderr", shown)
    assert acesaround("simulate", "partnership", "--fast", "--deals", "5000").status == 0
    assert "deals" in shown.getvalue()
    assert "5000/5000" in shown.getvalue()


@pytest.mark.parametrize("fails", [False, True])
def test_an_interrupt_swallowed_by_the_compiler_is_raised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: bool
) -> None:
    """During a callback from C code ctypes prints an exception and drops it."""

    def compiling(*_: object) -> None:
        ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGINT))()
        if fails:
            raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(warmup, "is_ready", lambda names: False)
    monkeypatch.setattr(warmup, "warm_up", compiling)
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    with pytest.raises(KeyboardInterrupt):
        console.compile_kernels(warmup.PLAYOUTS)
    assert capsys.readouterr().err == ""
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before


def test_an_error_of_the_compiler_is_not_taken_for_an_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def compiling(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(warmup, "is_ready", lambda names: False)
    monkeypatch.setattr(warmup, "warm_up", compiling)
    with pytest.raises(RuntimeError, match="a fault"):
        console.compile_kernels(warmup.PLAYOUTS)


# The plot


def test_the_same_deals_make_the_same_plot(acesaround: Command, tmp_path: Path) -> None:
    first, again, other = (tmp_path / f"{name}.svg" for name in ("first", "again", "other"))
    words = ("simulate", "partnership", "--fast", "--deals", "500", "--plot")
    with_plot = acesaround(*words, str(first))
    assert with_plot.out == acesaround(*words[:-1]).out
    acesaround(*words, str(again))
    acesaround(*words, str(other), "--seed", "1")
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    assert len(list(tmp_path.iterdir())) == 3


def texts_of(path: Path) -> set[str]:
    """Return the texts of a plot."""
    root = ElementTree.parse(path).getroot()
    return {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize("variant", sample_variants(VARIANTS))
def test_the_plot_has_the_statistics_of_the_table(
    acesaround: Command, tmp_path: Path, variant: str
) -> None:
    path = tmp_path / "plot.SVG"
    words = ("simulate", variant, "--fast", "--deals", "500", "--plot", str(path))
    found = msgspec.json.decode(acesaround(*words, "--json").out, type=odds.Odds)
    said = texts_of(path)
    assert {"What is melded", "Chance of a run in the cards as dealt"} <= said
    assert set(text_report.row_labels(found.melds.steps)) <= said
    for name, estimate in text_report.run_estimates(found.runs):
        assert {name, text_report.format_share(estimate)} <= said
    assert found.lead is not None
    assert text_report.format_number(found.lead.leader) in said
    assert ("How often a bid is made" in said) == (found.bids is not None)


def test_one_deal_and_unplayed_deals_can_be_plotted() -> None:
    rules = VARIANTS["double-deck"]
    deals = playouts.simulate_deals(rules, 500, 1)
    unplayed = DealResults._make(column[deals.trump < 0][:1] for column in deals)
    for one in (unplayed, playouts.simulate_deals(rules, 1)):
        out = io.BytesIO()
        plot.write_plot(odds.compute_odds(rules, one, "random", 1), out, "png")
        assert out.getvalue().startswith(b"\x89PNG")
