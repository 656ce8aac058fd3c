"""An option with its old name is refused with the new one."""

from __future__ import annotations

import pytest

from acesaround.cli.commands import build_parser
from acesaround.cli.refused_options import RENAMED

RENAMINGS = [(command, *names) for command in RENAMED for names in RENAMED[command].items()]


@pytest.mark.parametrize(("command", "old", "new"), RENAMINGS)
@pytest.mark.parametrize("value", [(), ("1",)])
def test_a_renamed_option_is_refused_with_its_new_name(
    command: str, old: str, new: str, value: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        build_parser().parse_args([command, old, *value])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == (
        f"acesaround {command}: argument {old}: this option is now {new}"
        f" (see acesaround {command} --help)\n"
    )


@pytest.mark.parametrize(("command", "old", "new"), RENAMINGS)
def test_help_lists_only_the_new_name(
    command: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args([command, "--help"])
    words = capsys.readouterr().out.split()
    assert new in words
    assert old not in words
