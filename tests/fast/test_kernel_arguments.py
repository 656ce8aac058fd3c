"""A kernel takes at most seven values: facts that go together are handed over as one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import acesaround

PACKAGE: Final = Path(acesaround.__file__).parent
MAX_ARGUMENTS: Final = 7
DECORATORS: Final = {"kernel", "arrayless_kernel", "inlined_kernel"}


def functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def compiled_names(tree: ast.Module) -> set[str]:
    """Return the names of functions that a module compiles, decorated or handed to a decorator."""
    decorated = {
        function.name
        for function in functions_of(tree)
        if any(ast.unparse(decorator) in DECORATORS for decorator in function.decorator_list)
    }
    handed_over = {
        ast.unparse(call.args[0]).rpartition(".")[2]
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and call.args and ast.unparse(call.func) in DECORATORS
    }
    return decorated | handed_over


def test_no_kernel_takes_more_than_seven_values() -> None:
    sources = [*(PACKAGE / "fast").rglob("*.py"), *(PACKAGE / "rules").glob("*.py")]
    trees = [ast.parse(path.read_text()) for path in sources]
    names = set().union(*map(compiled_names, trees))
    argument_counts = {
        function.name: len(function.args.args)
        for tree in trees
        for function in functions_of(tree)
        if function.name in names
    }
    assert {"follow_plan", "check_laying", "total_change"} <= argument_counts.keys()
    too_many = {name: count for name, count in argument_counts.items() if count > MAX_ARGUMENTS}
    assert not too_many
