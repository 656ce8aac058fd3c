"""Programs at the table in the terminal: they play, what they do wrong is told, and they end."""

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
from tests.terminal.table_driver import SIZE, asked, until

STARTED = "open({!r}, 'a').write(f'{{os.getpid()}} ')\n"


def pids(path: Path) -> list[int]:
    return [int(pid) for pid in path.read_text().split()]


@pytest.mark.parametrize("wrong", [False, True])
async def test_it_plays_at_the_table_and_ends_with_it(tmp_path: Path, wrong: bool) -> None:
    body = STARTED.format(str(tmp_path / "pids"))
    if wrong:
        body += "def decide(m): act(['play', 'AS'])"
    (tmp_path / "programs").mkdir()
    wishes = StartOptions(0, (program_bot(tmp_path / "programs", body),), 1, pace="instant")
    app = build_app(variants.get("partnership"), wishes, tmp_path / "games")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.pause()
        toasts = list(app.screen.query(Toast))
        assert len(toasts) == wrong  # once, though three seats failed
        assert all(toast.region.bottom < SIZE[1] - 6 for toast in toasts)  # the hand is in sight
        assert all(process_exists(pid) for pid in pids(tmp_path / "pids"))
    assert len(pids(tmp_path / "pids")) == 3
    assert not any(process_exists(pid) for pid in pids(tmp_path / "pids"))


def test_a_complaint_is_made_once_for_each_kind(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    rules = variants.get("three-handed")
    name = program_bot(tmp_path / "programs", "def decide(m): act(['play', 'AS'])")
    match = Session.new(tmp_path, rules, 0, assign_bots(rules, 0, [name]), SaveSettings(7))
    told: list[str] = []
    for _ in range(4):
        if match.decision is None:
            match.add_entries([match.next_automatic_entry()])
        else:
            match.send_action(next(iter(match.decision.legal)))
        told += match.take_bot_warnings()
    match.close()
    assert told == [
        f"The bot {name!r} chose an illegal action: play AS. The safest action was played instead."
    ]


def test_a_saved_game_whose_program_is_gone_says_so(tmp_path: Path) -> None:
    match = Session.new(tmp_path, variants.get("partnership"), 0, ("random",) * 4, SaveSettings(7))
    match.add_entries([match.next_automatic_entry()])
    match.close()
    save = match.path
    save.write_bytes(save.read_bytes().replace(b'"bots":"random"', b'"bots":"cmd:no-such-program"'))
    with pytest.raises(RecordError) as refused:
        Session.resume(save)
    assert str(refused.value) == (
        f"The saved game {save} cannot be continued: There is no program 'no-such-program' to run."
    )
