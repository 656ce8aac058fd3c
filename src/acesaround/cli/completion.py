"""`acesaround completion`: prints a script with which a shell completes the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from acesaround.cli.table_arguments import bot_name, file_path, variant_name

SHELLS: Final = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=SHELLS, help="the shell for which to print the script")
    parser.epilog = (
        'bash: eval "$(acesaround completion bash)" in ~/.bashrc. '
        'zsh: eval "$(acesaround completion zsh)" in ~/.zshrc, after compinit. '
        "fish: acesaround completion fish | source in ~/.config/fish/config.fish."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    import shtab

    from acesaround import bots, variants
    from acesaround.cli.commands import build_parser

    parser = build_parser()
    value_types: dict[Callable[[str], Any], dict[str, Any]] = {
        file_path: shtab.FILE,
        variant_name: _complete_words("variants", variants.VARIANTS, variants.SHEET_SUFFIX),
        bot_name: _complete_words("bots", bots.BOTS),
    }
    for action in _all_actions(parser):
        if action.type in value_types:
            action.complete = value_types[action.type]  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0


def _all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _all_actions(command)


def _complete_words(name: str, words: Iterable[str], suffix: str = "") -> dict[str, Any]:
    """Return shtab's description of a value: one of the words, or a file with the suffix."""
    function, listed = f"_acesaround_{name}", " ".join(sorted(words))
    bash = f'compgen -W "{listed}" -- "$1"'
    zsh, fish = f"'{name}:{name}:({listed})'", f"printf '%s\\n' {listed}"
    if suffix:
        bash += f'; compgen -f -X \'!*{suffix}\' -- "$1"; compgen -d -- "$1"'
        zsh += f" 'files:file:_files -g \"*{suffix}\"'"
        fish += f"; __fish_complete_suffix {suffix}"
    return {
        "bash": function,
        "zsh": function,
        "fish": f"({function})",
        "preamble": {
            "bash": f"{function}() {{ {bash}; }}",
            "zsh": f"{function}() {{ _alternative {zsh}; }}",
            "fish": f"function {function}; {fish}; end",
        },
    }
