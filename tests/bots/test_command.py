"""Programs as bots: what is said to them, every way in which they fail, and that they end."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from acesaround import bots, simulate, variants
from acesaround.actions import PASS, Bid
from acesaround.bots import external
from acesaround.bots.external import CommandBot, messages, process
from acesaround.bots.fallback import Failures
from acesaround.errors import BotError, Failure, RulesError
from acesaround.game.view import encode
from tests.bots.external_bots import alive, asked, gone, named, words, written
from tests.waiting import PATIENCE_SECONDS

SHORT = 0.1
"""Seconds for programs that are to be late or killed; those that are not have far more."""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is to say hello, or to end by itself, has time enough for it."""
    monkeypatch.setattr(external, "_MIN_START_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def made() -> Iterator[list[CommandBot]]:
    """Bots to be closed at the end."""
    found: list[CommandBot] = []
    yield found
    for bot in found:
        bot.close()


@pytest.fixture
def folder(tmp_path: Path, made: list[CommandBot]) -> Path:
    return tmp_path


def bot(
    folder: Path,
    made: list[CommandBot],
    body: str = "",
    limit: float = PATIENCE_SECONDS,
    **more: str,
) -> CommandBot:
    made.append(CommandBot(words(folder, body, **more), "cmd:test", limit))
    return made[-1]


def failure(player: CommandBot) -> BotError:
    with pytest.raises(BotError) as raised:
        player.choose(*asked())
    return raised.value


def test_a_program_plays_and_says_why(folder: Path, made: list[CommandBot]) -> None:
    body = """
def decide(message):
    say("")
    say({"type": "info", "thinking": "hard"})
    act(["bid", 250], reason="I hold\\n\\tall \\x1b[31mthe aces.", more=1)
"""
    player = bot(folder, made, body)
    assert player.explain(*asked()) == (Bid(250), "I hold all [31mthe aces.")
    assert player.choose(*asked()) == Bid(250)


def test_a_reason_may_be_missing_and_is_not_endless(folder: Path, made: list[CommandBot]) -> None:
    body = "def decide(m): act(['pass'], **({'reason': 'a' * 9999} if m['limit'] else {}))"
    with pytest.raises(BotError):  # the limit stands in hello alone
        bot(folder, made, body).choose(*asked())
    assert bot(folder, made).explain(*asked()) == (PASS, "")
    long = bot(folder, made, "def decide(m): act(['pass'], reason='a' * 9999)")
    assert long.explain(*asked()) == (PASS, "a" * 300)


def test_nothing_but_the_view_and_what_is_legal_reaches_it(
    folder: Path, made: list[CommandBot]
) -> None:
    """Byte by byte: what it is given is made of the view, the offer and the limit alone."""
    heard = folder / "heard"
    loop = f"""
with open({str(heard)!r}, "ab") as out:
    for line in sys.stdin.buffer:
        out.write(line)
        out.flush()
        message = json.loads(line)
        if message["type"] == "hello":
            hello()
        elif message["type"] == "decide":
            decide(message)
"""
    player = bot(folder, made, limit=77.5, loop=loop)
    seen, decision = asked()
    player.choose(seen, decision)
    player.close()
    assert seen.seat is not None
    lines = heard.read_bytes().split(b"\n")
    offered = {"kind": "bid", **messages.describe_legal(decision.legal)}
    assert lines == [
        messages.hello_line(seen.rules, seen.seat, 77.5),
        b'{"type":"decide","decision":%b,"view":%b}'
        % (json.dumps(offered, separators=(",", ":")).encode(), encode(seen)),
        b'{"type":"quit"}',
        b"",
    ]
    first = json.loads(lines[0])
    assert first["protocol"] == 2
    assert first["rules"] == json.loads(encode(seen))["rules"]


def test_the_secrets_of_a_server_are_not_in_its_environment(
    folder: Path, made: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACESAROUND_SECRET", "a key of sixteen signs")
    monkeypatch.setenv("BOT_MODEL", "large")
    body = "def decide(m): act(['pass'], reason=' '.join(k for k in os.environ if k[0] in 'AB'))"
    names = bot(folder, made, body).explain(*asked())[1].split()
    assert "BOT_MODEL" in names
    assert "ACESAROUND_SECRET" not in names


def test_one_process_plays_from_the_first_decision_on(folder: Path, made: list[CommandBot]) -> None:
    body = "def decide(m): act(['pass'], reason=str(os.getpid()))"
    player = bot(folder, made, body)
    assert len({player.explain(*asked())[1] for _ in range(3)}) == 1


@pytest.mark.parametrize(
    ("body", "kind", "sentence"),
    [
        ("sys.exit('no model')", Failure.DIED, "it ended with status 1 (no model)"),
        ("sys.exit(0)", Failure.DIED, "it ended with status 0"),
        ("1 / 0", Failure.DIED, "(ZeroDivisionError: division by zero)"),
        ("def decide(m): os._exit(3)", Failure.DIED, "it ended with status 3"),
        ("def decide(m): os.kill(os.getpid(), 9)", Failure.DIED, "it ended by signal 9"),
        ("def decide(m): sys.stdout.write('{'); os._exit(0)", Failure.DIED, "ended with status 0"),
        ("def hello(): say('Welcome!')", Failure.RUBBISH, "'Welcome!'"),
        ("def hello(): act(['pass'])", Failure.RUBBISH, "its first message is not hello"),
        ("def decide(m): say('')\ndef hello(): say('[]')", Failure.RUBBISH, "'[]'"),
        ("def decide(m): say('pass')", Failure.RUBBISH, "'pass'"),
        ("def decide(m): say('\\x00')", Failure.RUBBISH, "sent an invalid answer"),
        ("def decide(m): say('{}')", Failure.RUBBISH, "missing required field `type`"),
        ("def decide(m): say({'type': 7})", Failure.RUBBISH, "Expected `str`"),
        ("def decide(m): say({'type': 'play'})", Failure.RUBBISH, "its type is not"),
        ("def decide(m): say({'type': 'act'})", Failure.RUBBISH, "no action"),
        ("def decide(m): hello()", Failure.RUBBISH, "its answer has no action"),
        ("def decide(m): act('pass')", Failure.RUBBISH, "Expected `array | null`"),
        ("def decide(m): act([])", Failure.RUBBISH, "is not an action"),
        ("def decide(m): act(['bid', '250'])", Failure.RUBBISH, "is not an action"),
        ("def decide(m): act(['bid', 10 ** 400])", Failure.RUBBISH, "a bid that no game allows"),
        ("def decide(m): say(ACT % ('9' * 5000))", Failure.RUBBISH, "sent an invalid answer"),
        ("def decide(m): act(['give', ['AS'] * 9000])", Failure.ILLEGAL, "give AS AS"),
        ("def decide(m): act(['play', '1S'])", Failure.RUBBISH, "'1S' is not a card"),
        ("def decide(m): say('[' * 60000)", Failure.RUBBISH, "sent an invalid answer"),
        ("def decide(m): os.write(1, b'\\xff\\xfe\\n')", Failure.RUBBISH, "sent an invalid answer"),
        ("def decide(m): say('a' * 70000)", Failure.RUBBISH, "a line of more than 65536 bytes"),
        (
            "def decide(m):\n while True: os.write(1, b'a' * 9000)",
            Failure.RUBBISH,
            "a line of more than 65536 bytes",
        ),
        (
            "def decide(m):\n while True: say({'type': 'info', 'a': 'a' * 9000})",
            Failure.RUBBISH,
            "more than 1048576 bytes for one decision",
        ),
        ("def decide(m): act(['bid', 270])", Failure.ILLEGAL, "bid 270"),
        ("def decide(m): act(['bid', -1])", Failure.ILLEGAL, "bid -1"),
        ("def decide(m): act(['play', 'AS'])", Failure.ILLEGAL, "play AS"),
        ("def decide(m): act(['concede'])", Failure.ILLEGAL, "concede"),
        ("def decide(m): act(['give', ['AS', '9C']])", Failure.ILLEGAL, "give AS 9C"),
    ],
)
def test_every_failure_has_its_cause(
    folder: Path, made: list[CommandBot], body: str, kind: Failure, sentence: str
) -> None:
    error = failure(bot(folder, made, body))
    assert error.failure is kind, error
    assert sentence in str(error)
    assert "'cmd:test'" in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    "body",
    [
        "def hello(): time.sleep(600)",
        "def decide(m): time.sleep(600)",
        "def decide(m): sys.stdout.write('{\"type\"'); sys.stdout.flush(); time.sleep(600)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef decide(m): time.sleep(600)",
        "def decide(m):\n while True: say({'type': 'info'}); time.sleep(0.1)",
        "def decide(m):\n while True: sys.stderr.write('a' * 999)",
    ],
)
def test_silence_ends_with_the_time(
    folder: Path, made: list[CommandBot], body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "hello" in body:
        monkeypatch.setattr(external, "_MIN_START_SECONDS", SHORT)
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT)
    error = failure(bot(folder, made, body, SHORT))
    assert str(error) == f"The bot 'cmd:test' gave no answer within {SHORT} s."
    assert error.failure is Failure.LATE


def test_one_that_closes_its_output_and_stays_has_said_all(
    folder: Path, made: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT)
    error = failure(bot(folder, made, "def decide(m): os.close(1); time.sleep(600)"))
    assert error.failure is Failure.DIED
    assert "it closed its input or output" in str(error)


def test_what_is_no_program_cannot_be_started(folder: Path, made: list[CommandBot]) -> None:
    junk = folder / "junk"
    junk.write_bytes(b"\x00\x01")
    junk.chmod(0o755)
    for path in (junk, folder, folder / "missing"):
        made.append(CommandBot([str(path)], "cmd:test"))
        error = failure(made[-1])
        assert error.failure is Failure.DIED
        assert "it cannot be started" in str(error)


@pytest.mark.parametrize("name", ["cmd:./no-such-program", "cmd:no-such-program-either a b"])
def test_a_name_without_a_program_is_refused_at_once(name: str) -> None:
    with pytest.raises(RulesError, match="There is no program '"):
        bots.check(name)


def test_an_answer_too_many_is_noticed(folder: Path, made: list[CommandBot]) -> None:
    body = "def decide(m): say(ACT % 250 + '\\n' + ACT % 250)"
    player = bot(folder, made, body)  # both in one write: who reads one has read the other
    player.choose(*asked())
    assert "an answer without a question" in str(failure(player))


def test_errors_of_a_program_hold_nobody_up(folder: Path, made: list[CommandBot]) -> None:
    body = "def decide(m): sys.stderr.write('a' * 300000); act(['pass'])"
    assert bot(folder, made, body).choose(*asked()) == PASS


def test_a_long_question_to_one_that_reads_late_is_no_deadlock(
    folder: Path, made: list[CommandBot]
) -> None:
    """It fills its own output before it reads, and what it is told is longer than a pipe."""
    body = """
def decide(message):
    for _ in range(90):
        say({"type": "info", "a": "a" * 9000})
    act(["pass"])
"""
    player = bot(folder, made, body)
    seen, decision = asked()
    assert player.choose(seen, decision) == PASS
    assert player.choose(seen, decision) == PASS


def test_it_is_started_again_three_times_and_no_more(folder: Path, made: list[CommandBot]) -> None:
    starts = folder / "starts"
    body = f"open({str(starts)!r}, 'a').write('x')\ndef decide(m): os._exit(1)"
    player = bot(folder, made, body)
    for _ in range(4):
        assert "it ended with status 1" in str(failure(player))
    for _ in range(2):
        assert "it failed too often, so it is not started again" in str(failure(player))
    assert starts.read_text() == "xxxx"


def test_after_a_failure_it_plays_again(folder: Path, made: list[CommandBot]) -> None:
    once = folder / "once"
    body = f"""
def decide(message):
    if not os.path.exists({str(once)!r}):
        open({str(once)!r}, "w").close()
        say("hm")
        time.sleep(600)
    act(["pass"])
"""
    player = bot(folder, made, body)
    assert failure(player).failure is Failure.RUBBISH
    assert player.choose(*asked()) == PASS


def test_an_illegal_choice_does_not_end_the_program(folder: Path, made: list[CommandBot]) -> None:
    body = "n = []\ndef decide(m): n.append(1); act(['bid', 270] if len(n) < 9 else ['bid', 260])"
    player = bot(folder, made, body)
    for _ in range(8):
        assert failure(player).failure is Failure.ILLEGAL
    assert player.choose(*asked()) == Bid(260)


def _pid(player: CommandBot) -> int:
    return int(player.explain(*asked())[1])


TELLS_PID = "def decide(m): act(['pass'], reason=str(os.getpid()))\n"


def test_it_is_told_to_quit_and_leaves_no_trace(folder: Path, made: list[CommandBot]) -> None:
    left = folder / "left"
    body = TELLS_PID + f"def over(): open({str(left)!r}, 'w').write('bye')"
    player = bot(folder, made, body)
    pid = _pid(player)
    player.close()
    player.close()
    assert left.read_text() == "bye"
    assert not alive(pid)  # nor is it a zombie
    assert _pid(player) != pid  # asked again, it starts again


def test_one_that_will_not_go_is_made_to(
    folder: Path, made: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT)
    body = TELLS_PID + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef over(): time.sleep(600)"
    player = bot(folder, made, body)
    pid = _pid(player)
    player.close()
    assert not alive(pid)


def test_what_it_has_started_goes_with_it(
    folder: Path, made: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT)
    body = """
import subprocess
child = subprocess.Popen(["sleep", "600"])
def decide(m): act(['pass'], reason=str(child.pid))
def over(): time.sleep(600)
"""
    player = bot(folder, made, body)
    pid = _pid(player)
    player.close()
    assert gone(pid)


def test_a_bot_that_is_forgotten_ends_its_program(folder: Path) -> None:
    player = CommandBot(words(folder, TELLS_PID), "cmd:test")
    pid = _pid(player)
    del player
    gc.collect()
    assert gone(pid)


def test_another_thread_can_end_it_while_it_thinks(folder: Path, made: list[CommandBot]) -> None:
    busy = folder / "busy"
    body = f"def decide(m): open({str(busy)!r}, 'w').write('x'); time.sleep(600)"
    player = bot(folder, made, body)
    errors: list[BotError] = []
    thinking = threading.Thread(target=lambda: errors.append(failure(player)))
    thinking.start()
    written(busy)
    player.close()
    thinking.join(PATIENCE_SECONDS)
    assert not thinking.is_alive()
    assert errors[0].failure is Failure.DIED


def test_it_ends_when_whoever_plays_is_killed(folder: Path) -> None:
    """Its input ends then, and a program that reads to the end is done."""
    noticed = folder / "noticed"
    body = f"import atexit\natexit.register(lambda: open({str(noticed)!r}, 'w').write('end'))\n"
    script = f"""
import os, signal
from acesaround.bots.external import CommandBot
from tests.bots.external_bots import asked
player = CommandBot({words(folder, body)!r}, "cmd:test")
player.choose(*asked())
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parent.parent.parent
    path = os.pathsep.join([str(root / "src"), str(root)])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == -signal.SIGKILL
    assert written(noticed) == "end"


@pytest.mark.parametrize("variant", list(variants.VARIANTS))
def test_it_plays_every_variant(tmp_path: Path, variant: str) -> None:
    failures = Failures()
    names = simulate.bots_by_seat([named(tmp_path), "random"], variants.get(variant).seats)
    [played] = simulate.play_games(
        variants.get(variant), names, 1, 3, record=True, max_deals=1, failures=failures
    )
    assert failures.lines() == []
    assert played.state.deals == 1


def test_the_same_game_as_a_bot_of_ours_that_chooses_the_same(tmp_path: Path) -> None:
    """Nothing of a program is by chance: two runs are the same game."""
    runs = [
        list(
            simulate.play_games(
                variants.TWO_HANDED, (named(tmp_path), "thumb"), 1, 5, record=True, max_deals=2
            )
        )
        for _ in range(2)
    ]
    deals = [run[0].record.deals for run in runs if run[0].record is not None]
    assert deals[0] == deals[1]


def test_programs_are_closed_after_their_game(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')"
    rules = variants.PARTNERSHIP
    list(simulate.play_games(rules, [named(tmp_path, body)] * 4, 2, 1, max_deals=1))
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == len(set(started)) == 8
    assert not any(alive(pid) for pid in started)


def test_a_table_of_programs_that_fail_plays_to_the_end(tmp_path: Path) -> None:
    """Each seat fails in a way of its own, by lot; the game and its record are sound."""
    body = """
import random
random.seed(SEED)
def decide(m):
    lot = random.random()
    if lot < 0.02: os._exit(1)
    if lot < 0.04: say("hm")
    elif lot < 0.3: act(["play", "AS"])
    else: act(first(m))
"""
    names = [named(tmp_path, body.replace("SEED", str(seed))) for seed in range(4)]
    failures = Failures()
    [played] = simulate.play_games(
        variants.DOUBLE_DECK, names, 1, 1, record=True, max_deals=2, failures=failures
    )
    assert played.state.deals == 2
    assert {kind for _, kind in failures.counts} == {
        Failure.DIED,
        Failure.RUBBISH,
        Failure.ILLEGAL,
    }
    assert all("The safest action was played instead" in line for line in failures.lines())


def test_make_gives_a_program_its_limit(tmp_path: Path) -> None:
    player = bots.make(named(tmp_path, "def decide(m): time.sleep(600)"), random.Random(0), SHORT)
    with pytest.raises(BotError, match=f"within {SHORT} s"):
        player.choose(*asked())
    bots.close(player)
