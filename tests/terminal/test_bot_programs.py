"""External bots at the terminal's table: they play, their faults are shown, and they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets._toast import Toast

from acesaround import variants
from acesaround.errors import RecordError
from acesaround.game.state import DecisionKind
from acesaround.terminal.app import StartOptions, build_app
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, assign_bots
from tests.bots.external_bots import process_exists, program_bot
from tests.terminal.table_driver import SIZE, has_decision, play_until

STARTED = "open({!r}, 'a').write(f'{{os.getpid()}} ')\n"


def read_pids(path: Path) -> list[int]:
    return [int(pid) for pid in path.read_text().split()]


@pytest.mark.parametrize("is_faulty", [False, True])
async def test_an_external_bot_plays_and_ends_with_the_table(
    tmp_path: Path, is_faulty: bool
) -> None:
    body = STARTED.format(str(tmp_path / "pids"))
    if is_faulty:
        body += "def decide(m): act(['play', 'AS'])"
    (tmp_path / "programs").mkdir()
    start = StartOptions(0, (program_bot(tmp_path / "programs", body),), 1, pace="instant")
    app = build_app(variants.get("partnership"), start, tmp_path / "games")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.pause()
        toasts = list(app.screen.query(Toast))
        assert len(toasts) == is_faulty  # one for all three seats
        assert all(toast.region.bottom < SIZE[1] - 6 for toast in toasts)  # not over the hand
        assert all(process_exists(pid) for pid in read_pids(tmp_path / "pids"))
    assert len(read_pids(tmp_path / "pids")) == 3
    assert not any(process_exists(pid) for pid in read_pids(tmp_path / "pids"))


def test_a_warning_is_given_once_for_each_kind_of_fault(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    rules = variants.get("three-handed")
    name = program_bot(tmp_path / "programs", "def decide(m): act(['play', 'AS'])")
    session = Session.new(tmp_path, rules, 0, assign_bots(rules, 0, [name]), SaveSettings(7))
    warnings: list[str] = []
    for _ in range(4):
        if session.decision is None:
            session.add_entries([session.next_automatic_entry()])
        else:
            session.send_action(next(iter(session.decision.legal)))
        warnings += session.take_bot_warnings()
    session.close()
    assert warnings == [
        f"The bot {name!r} chose an illegal action: play AS. The safest action was played instead."
    ]


def test_resuming_a_game_without_its_program_is_refused(tmp_path: Path) -> None:
    session = Session.new(
        tmp_path, variants.get("partnership"), 0, ("random",) * 4, SaveSettings(7)
    )
    session.add_entries([session.next_automatic_entry()])
    session.close()
    save = session.path
    save.write_bytes(save.read_bytes().replace(b'"bots":"random"', b'"bots":"cmd:no-such-program"'))
    with pytest.raises(RecordError) as refused:
        Session.resume(save)
    assert str(refused.value) == (
        f"The saved game {save} cannot be continued: There is no program 'no-such-program' to run."
    )
