"""The completion scripts, which a real shell reads and completes words with."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from acesaround.variants import VARIANTS
from tests.cli_runner import Command

_COMPLETE_IN_BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
COMPREPLY=()
_shtab_acesaround acesaround "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["so"], {"solve"}),
        (["rules", "double"], {name for name in VARIANTS if name.startswith("double")}),
        (["rules", "my"], {"my-game.toml"}),
        (["arena", "partnership", "thumb", "sear"], {"search"}),
        (["rules", "--pl"], {"--players"}),
        (["replay", "gam"], {"game.txt"}),
        (["completion", "f"], {"fish"}),
        (["serve", "--workers"], {""}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bash_completes_commands_options_names_and_files(
    acesaround: Command, tmp_path: Path, words: list[str], completed: set[str]
) -> None:
    script = tmp_path / "script"
    script.write_text(acesaround("completion", "bash").out)
    for name in ("my-game.toml", "my-notes.txt", "game.txt"):
        (tmp_path / name).touch()
    output = subprocess.run(
        ["bash", "-c", _COMPLETE_IN_BASH, "bash", str(script), "acesaround", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(output.stdout.removesuffix("\n").split("\n")) == completed
    assert output.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_script(acesaround: Command, tmp_path: Path, shell: str) -> None:
    script = acesaround("completion", shell).out
    assert all(name in script for name in (*VARIANTS, "clairvoyant", "--dask-scheduler"))
    assert "--workers" not in script  # an option that was removed
    if path := shutil.which(shell):
        file = tmp_path / "script"
        file.write_text(script)
        subprocess.run([path, "-n", str(file)], check=True)


def test_another_shell_is_refused(acesaround: Command) -> None:
    assert "invalid choice: 'tcsh'" in acesaround.refuses("completion", "tcsh")
