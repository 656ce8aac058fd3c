"""Programs as bots: the messages they get, every failure, and their end."""

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
from acesaround.bots.fallback_player import Failures
from acesaround.errors import BotError, Failure, RulesError
from acesaround.game.json_format import view_to_json
from tests.bots.external_bots import (
    file_content,
    first_bid,
    has_ended,
    process_exists,
    program_bot,
    program_command,
)
from tests.waiting import PATIENCE_SECONDS

SHORT_SECONDS = 0.1
"""Time limit of programs that must be late or killed; others have far more."""


@pytest.fixture(autouse=True)
def enough_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs enough time to start and to exit by themselves."""
    monkeypatch.setattr(external, "_MIN_START_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def created() -> Iterator[list[CommandBot]]:
    """Yield a list of bots that are closed after the test."""
    found: list[CommandBot] = []
    yield found
    for bot in found:
        bot.close()


@pytest.fixture
def folder(tmp_path: Path, created: list[CommandBot]) -> Path:
    return tmp_path


def bot(
    folder: Path,
    created: list[CommandBot],
    body: str = "",
    limit: float = PATIENCE_SECONDS,
    **more: str,
) -> CommandBot:
    created.append(CommandBot(program_command(folder, body, **more), "cmd:test", limit))
    return created[-1]


def failure(player: CommandBot) -> BotError:
    with pytest.raises(BotError) as raised:
        player.choose(*first_bid())
    return raised.value


def test_program_plays_and_gives_a_reason(folder: Path, created: list[CommandBot]) -> None:
    body = """
def decide(message):
    say("")
    say({"type": "info", "thinking": "hard"})
    act(["bid", 250], reason="I hold\\n\\tall \\x1b[31mthe aces.", more=1)
"""
    player = bot(folder, created, body)
    assert player.explain(*first_bid()) == (Bid(250), "I hold all [31mthe aces.")
    assert player.choose(*first_bid()) == Bid(250)


def test_reason_is_optional_and_limited(folder: Path, created: list[CommandBot]) -> None:
    body = "def decide(m): act(['pass'], **({'reason': 'a' * 9999} if m['limit'] else {}))"
    with pytest.raises(BotError):  # only hello has the limit
        bot(folder, created, body).choose(*first_bid())
    assert bot(folder, created).explain(*first_bid()) == (PASS, "")
    long = bot(folder, created, "def decide(m): act(['pass'], reason='a' * 9999)")
    assert long.explain(*first_bid()) == (PASS, "a" * 300)


def test_program_gets_only_view_and_legal_actions(folder: Path, created: list[CommandBot]) -> None:
    """Compare the lines that the program gets, byte by byte."""
    received = folder / "received"
    loop = f"""
with open({str(received)!r}, "ab") as out:
    for line in sys.stdin.buffer:
        out.write(line)
        out.flush()
        message = json.loads(line)
        if message["type"] == "hello":
            hello()
        elif message["type"] == "decide":
            decide(message)
"""
    player = bot(folder, created, limit=77.5, loop=loop)
    seen, decision = first_bid()
    player.choose(seen, decision)
    player.close()
    assert seen.seat is not None
    lines = received.read_bytes().split(b"\n")
    offered = {"kind": "bid", **messages.describe_legal(decision.legal)}
    assert lines == [
        messages.hello_line(seen.rules, seen.seat, 77.5),
        b'{"type":"decide","decision":%b,"view":%b}'
        % (json.dumps(offered, separators=(",", ":")).encode(), view_to_json(seen)),
        b'{"type":"quit"}',
        b"",
    ]
    first = json.loads(lines[0])
    assert first["protocol"] == 2
    assert first["rules"] == json.loads(view_to_json(seen))["rules"]


def test_secrets_of_the_server_are_not_in_the_environment(
    folder: Path, created: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACESAROUND_SECRET", "a key of sixteen signs")
    monkeypatch.setenv("BOT_MODEL", "large")
    body = "def decide(m): act(['pass'], reason=' '.join(k for k in os.environ if k[0] in 'AB'))"
    names = bot(folder, created, body).explain(*first_bid())[1].split()
    assert "BOT_MODEL" in names
    assert "ACESAROUND_SECRET" not in names


def test_one_process_makes_all_decisions(folder: Path, created: list[CommandBot]) -> None:
    body = "def decide(m): act(['pass'], reason=str(os.getpid()))"
    player = bot(folder, created, body)
    assert len({player.explain(*first_bid())[1] for _ in range(3)}) == 1


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
def test_failure_names_its_cause(
    folder: Path, created: list[CommandBot], body: str, kind: Failure, sentence: str
) -> None:
    error = failure(bot(folder, created, body))
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
def test_silent_program_fails_after_its_time_limit(
    folder: Path, created: list[CommandBot], body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "hello" in body:
        monkeypatch.setattr(external, "_MIN_START_SECONDS", SHORT_SECONDS)
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT_SECONDS)
    error = failure(bot(folder, created, body, SHORT_SECONDS))
    assert str(error) == f"The bot 'cmd:test' gave no answer within {SHORT_SECONDS} s."
    assert error.failure is Failure.LATE


def test_program_that_closes_its_output_has_died(
    folder: Path, created: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT_SECONDS)
    error = failure(bot(folder, created, "def decide(m): os.close(1); time.sleep(600)"))
    assert error.failure is Failure.DIED
    assert "it closed its input or output" in str(error)


def test_invalid_programs_cannot_be_started(folder: Path, created: list[CommandBot]) -> None:
    junk = folder / "junk"
    junk.write_bytes(b"\x00\x01")
    junk.chmod(0o755)
    for path in (junk, folder, folder / "missing"):
        created.append(CommandBot([str(path)], "cmd:test"))
        error = failure(created[-1])
        assert error.failure is Failure.DIED
        assert "it cannot be started" in str(error)


@pytest.mark.parametrize("name", ["cmd:./no-such-program", "cmd:no-such-program-either a b"])
def test_name_of_a_missing_program_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="There is no program '"):
        bots.check(name)


def test_second_answer_is_a_failure(folder: Path, created: list[CommandBot]) -> None:
    body = "def decide(m): say(ACT % 250 + '\\n' + ACT % 250)"
    player = bot(folder, created, body)  # both in one write, so that both are read at once
    player.choose(*first_bid())
    assert "an answer without a question" in str(failure(player))


def test_long_stderr_does_not_block(folder: Path, created: list[CommandBot]) -> None:
    body = "def decide(m): sys.stderr.write('a' * 300000); act(['pass'])"
    assert bot(folder, created, body).choose(*first_bid()) == PASS


def test_late_reader_causes_no_deadlock(folder: Path, created: list[CommandBot]) -> None:
    """It fills its own output before it reads, and its input is longer than a pipe."""
    body = """
def decide(message):
    for _ in range(90):
        say({"type": "info", "a": "a" * 9000})
    act(["pass"])
"""
    player = bot(folder, created, body)
    seen, decision = first_bid()
    assert player.choose(seen, decision) == PASS
    assert player.choose(seen, decision) == PASS


def test_program_is_restarted_at_most_three_times(folder: Path, created: list[CommandBot]) -> None:
    starts = folder / "starts"
    body = f"open({str(starts)!r}, 'a').write('x')\ndef decide(m): os._exit(1)"
    player = bot(folder, created, body)
    for _ in range(4):
        assert "it ended with status 1" in str(failure(player))
    for _ in range(2):
        assert "it failed too often, so it is not started again" in str(failure(player))
    assert starts.read_text() == "xxxx"


def test_program_plays_again_after_a_failure(folder: Path, created: list[CommandBot]) -> None:
    marker = folder / "once"
    body = f"""
def decide(message):
    if not os.path.exists({str(marker)!r}):
        open({str(marker)!r}, "w").close()
        say("hm")
        time.sleep(600)
    act(["pass"])
"""
    player = bot(folder, created, body)
    assert failure(player).failure is Failure.RUBBISH
    assert player.choose(*first_bid()) == PASS


def test_illegal_choice_causes_no_restart(folder: Path, created: list[CommandBot]) -> None:
    body = "n = []\ndef decide(m): n.append(1); act(['bid', 270] if len(n) < 9 else ['bid', 260])"
    player = bot(folder, created, body)
    for _ in range(8):
        assert failure(player).failure is Failure.ILLEGAL
    assert player.choose(*first_bid()) == Bid(260)


def _pid(player: CommandBot) -> int:
    return int(player.explain(*first_bid())[1])


REPORTS_PID = "def decide(m): act(['pass'], reason=str(os.getpid()))\n"


def test_closed_program_quits_and_is_reaped(folder: Path, created: list[CommandBot]) -> None:
    farewell = folder / "left"
    body = REPORTS_PID + f"def over(): open({str(farewell)!r}, 'w').write('bye')"
    player = bot(folder, created, body)
    pid = _pid(player)
    player.close()
    player.close()
    assert farewell.read_text() == "bye"
    assert not process_exists(pid)  # not even as a zombie
    assert _pid(player) != pid  # started again


def test_program_that_ignores_quit_is_killed(
    folder: Path, created: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT_SECONDS)
    body = (
        REPORTS_PID + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef over(): time.sleep(600)"
    )
    player = bot(folder, created, body)
    pid = _pid(player)
    player.close()
    assert not process_exists(pid)


def test_children_of_a_program_are_killed(
    folder: Path, created: list[CommandBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_WAIT_SECONDS", SHORT_SECONDS)
    body = """
import subprocess
child = subprocess.Popen(["sleep", "600"])
def decide(m): act(['pass'], reason=str(child.pid))
def over(): time.sleep(600)
"""
    player = bot(folder, created, body)
    pid = _pid(player)
    player.close()
    assert has_ended(pid)


def test_garbage_collected_bot_ends_its_program(folder: Path) -> None:
    player = CommandBot(program_command(folder, REPORTS_PID), "cmd:test")
    pid = _pid(player)
    del player
    gc.collect()
    assert has_ended(pid)


def test_thread_can_close_a_thinking_program(folder: Path, created: list[CommandBot]) -> None:
    busy = folder / "busy"
    body = f"def decide(m): open({str(busy)!r}, 'w').write('x'); time.sleep(600)"
    player = bot(folder, created, body)
    errors: list[BotError] = []
    thinking = threading.Thread(target=lambda: errors.append(failure(player)))
    thinking.start()
    file_content(busy)
    player.close()
    thinking.join(PATIENCE_SECONDS)
    assert not thinking.is_alive()
    assert errors[0].failure is Failure.DIED


def test_program_ends_when_its_parent_is_killed(folder: Path) -> None:
    """Its input ends then, and a program that reads to the end exits."""
    ended = folder / "noticed"
    body = f"import atexit\natexit.register(lambda: open({str(ended)!r}, 'w').write('end'))\n"
    script = f"""
import os, signal
from acesaround.bots.external import CommandBot
from tests.bots.external_bots import first_bid
player = CommandBot({program_command(folder, body)!r}, "cmd:test")
player.choose(*first_bid())
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
    assert file_content(ended) == "end"


@pytest.mark.parametrize("variant", list(variants.VARIANTS))
def test_program_plays_every_variant(tmp_path: Path, variant: str) -> None:
    failures = Failures()
    names = simulate.bots_by_seat([program_bot(tmp_path), "random"], variants.get(variant).seats)
    [played] = simulate.play_games(
        variants.get(variant), names, 1, 3, record=True, max_deals=1, failures=failures
    )
    assert failures.lines() == []
    assert played.state.deals == 1


def test_games_of_a_program_are_repeatable(tmp_path: Path) -> None:
    runs = [
        list(
            simulate.play_games(
                variants.TWO_HANDED,
                (program_bot(tmp_path), "thumb"),
                1,
                5,
                record=True,
                max_deals=2,
            )
        )
        for _ in range(2)
    ]
    deals = [run[0].record.deals for run in runs if run[0].record is not None]
    assert deals[0] == deals[1]


def test_programs_are_closed_after_the_game(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')"
    rules = variants.PARTNERSHIP
    list(simulate.play_games(rules, [program_bot(tmp_path, body)] * 4, 2, 1, max_deals=1))
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == len(set(started)) == 8
    assert not any(process_exists(pid) for pid in started)


def test_game_of_failing_programs_is_played_to_the_end(tmp_path: Path) -> None:
    """Each seat fails in its own way, at random. The game and its record are sound."""
    body = """
import random
random.seed(SEED)
def decide(m):
    chance = random.random()
    if chance < 0.02: os._exit(1)
    if chance < 0.04: say("hm")
    elif chance < 0.3: act(["play", "AS"])
    else: act(first(m))
"""
    names = [program_bot(tmp_path, body.replace("SEED", str(seed))) for seed in range(4)]
    failures = Failures()
    [played] = simulate.play_games(
        variants.DOUBLE_DECK, names, 1, 1, record=True, max_deals=2, failures=failures
    )
    assert played.state.deals == 2
    assert {kind for _, kind in failures.counts} == {Failure.DIED, Failure.RUBBISH, Failure.ILLEGAL}
    assert all("The safest action was played instead" in line for line in failures.lines())


def test_make_passes_the_time_limit_to_a_program(tmp_path: Path) -> None:
    player = bots.make(
        program_bot(tmp_path, "def decide(m): time.sleep(600)"), random.Random(0), SHORT_SECONDS
    )
    with pytest.raises(BotError, match=f"within {SHORT_SECONDS} s"):
        player.choose(*first_bid())
    bots.close(player)
