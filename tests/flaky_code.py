"""Find code in tests that fails on a slow machine or in rare runs.

Refused are a sleep before an assertion, a time limit under 30 seconds, an assertion on elapsed
time, random numbers without a seed, an endless loop, and a new size of a page that is not waited
for. A comment in the same line may allow one: `# steady: the limit itself is what is tested`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MIN_SECONDS: Final = 30.0
"""The minimum of time limits in seconds; a busy machine may take longer."""
_MILLISECONDS: Final = 1000.0  # a limit of so much is one of Playwright's
_REASON: Final = re.compile(r"#.*\bsteady: *\S+ +\S+")
_SLEEPS: Final = {"sleep", "pause", "wait_for_timeout"}
_CLOCKS: Final = {"monotonic", "perf_counter", "monotonic_ns", "perf_counter_ns", "process_time"}
_LIMITS: Final = {"timeout", "patience", "limit_seconds", "wait_for"}
_LIMITED: Final = {"timeout", "settimeout", "set_default_timeout", "move_on_after", "fail_after"}
"""Functions with a limit as first argument."""
_ENDING: Final = _LIMITED | {"suppress"}
_LEAVING: Final = (ast.Return, ast.Break, ast.Yield)
_WAITS: Final = {"wait", "join", "result", "acquire"}
"""Methods with a limit as first argument if it is a number."""
_IN_SECONDS: Final = {"run", "timeout", "communicate", "wait", "check_output"}
_NAMED: Final = re.compile(r"(^|_)(PATIENCE|TIMEOUT|DEADLINE)(_|$)")
_ASSERTING: Final = {"expect", "raises", "fail"}
_DRAWN: Final = {
    *("random", "randint", "randrange", "choice", "choices", "sample", "shuffle", "uniform"),
    *("getrandbits", "randbytes", "gauss", "expovariate", "SystemRandom", "seed"),
}
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS: Final = (ast.While, ast.For, ast.AsyncFor)


class Finding(NamedTuple):
    """A fault in a line."""

    line: int
    what: str


def find_flaky_code(source: str) -> list[Finding]:
    """Return the faults in the source of a module that no comment allows, by line."""
    lines = source.splitlines()
    found = set[Finding]()
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        for what in _faults(node, parents):
            assert isinstance(node, ast.expr | ast.stmt)
            last = node.end_lineno if isinstance(node, ast.expr) else node.lineno
            if isinstance(node, ast.Assert | ast.Expr | ast.Assign | ast.AnnAssign):
                last = node.end_lineno
            its = lines[node.lineno - 1 : last]
            if not any(_REASON.search(line) for line in its):
                found.add(Finding(node.lineno, what))
    return sorted(found)


def _faults(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[str]:
    if isinstance(node, ast.Call):
        if _sleeps(node) and _asserts_after(node, parents):
            yield "a sleep before an assertion: wait until what is asserted is so"
        if _is_short(node):
            yield f"a time limit under {MIN_SECONDS:g} s: take PATIENCE_SECONDS"
        if _is_chance(node):
            yield "chance without a seed: draw it from the fixture `chance`"
        if _name(node.func) == "set_viewport_size":
            yield "a page that has not followed its size: take BrowserPage.resize"
    if isinstance(node, ast.Assign | ast.AnnAssign) and _names_short(node):
        yield f"a time limit under {MIN_SECONDS:g} s: take PATIENCE_SECONDS"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_clock(node.left):
        seconds = _number(node.right)
        if seconds is not None and seconds < MIN_SECONDS:
            yield f"a time limit under {MIN_SECONDS:g} s: take PATIENCE_SECONDS"
    if isinstance(node, ast.Assert) and _measures(node, parents):
        yield "an assertion on elapsed time: let the test own the clock"
    if isinstance(node, ast.While) and _is_endless(node, parents):
        yield "a loop without an end: take wait_until, or a deadline"
    if isinstance(node, ast.ImportFrom) and _imports_chance(node):
        yield "chance without a seed: draw it from the fixture `chance`"


def _name(node: ast.AST) -> str:
    """Return the last part of a name: `sleep` of `asyncio.sleep`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _number(node: ast.AST | None) -> float | None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]  # it is one of these
    return None


def _ancestors(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """Yield the ancestors of a node up to its function."""
    while node in parents:
        node = parents[node]
        yield node
        if isinstance(node, _FUNCTIONS):
            return


def _descendants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the descendants of a node outside nested functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _descendants(child)


def _sleeps(call: ast.Call) -> bool:
    """Return True if a call sleeps for a time other than 0."""
    if _name(call.func) not in _SLEEPS or not call.args:
        return False
    return _number(call.args[0]) != 0


def _asserts_after(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    around = list(_ancestors(call, parents))
    if not around or not isinstance(around[-1], ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    # A sleep in a loop that does not count is polling.
    if any(isinstance(node, _LOOPS) and not _counts(node) for node in around):
        return False
    return any(
        isinstance(node, ast.expr | ast.stmt)
        and node.lineno > call.lineno
        and (isinstance(node, ast.Assert) or _asserts(node))
        for node in _descendants(around[-1])
    )


def _counts(loop: ast.AST) -> bool:
    made = loop.iter if isinstance(loop, ast.For) else None
    return isinstance(made, ast.Call) and _name(made.func) == "range"


def _asserts(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in _ASSERTING


def _is_short(call: ast.Call) -> bool:
    name = _name(call.func)
    given = [word.value for word in call.keywords if word.arg in _LIMITS]
    waits = name in _WAITS and isinstance(call.func, ast.Attribute)
    if call.args and (name in _LIMITED or waits):
        given.append(call.args[0])
    if name == "wait_for" and len(call.args) > 1:
        given.append(call.args[1])
    return any(_short(_number(value), seconds=name in _IN_SECONDS) for value in given)


def _short(limit: float | None, *, seconds: bool = False) -> bool:
    if not limit:  # 0 does not wait at all
        return False
    in_milliseconds = limit >= _MILLISECONDS and not seconds
    return limit < MIN_SECONDS * (_MILLISECONDS if in_milliseconds else 1)


def _names_short(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(_NAMED.search(_name(one)) for one in targets) and _short(_number(node.value))


def _is_chance(call: ast.Call) -> bool:
    made = call.func
    if not isinstance(made, ast.Attribute):
        return False
    if _name(made.value) == "random" and made.attr in _DRAWN:
        return True
    return made.attr in ("Random", "default_rng") and not call.args and not call.keywords


def _imports_chance(node: ast.ImportFrom) -> bool:
    return node.module == "random" and not _DRAWN.isdisjoint(its.name for its in node.names)


def _is_clock(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    ours = isinstance(node.func, ast.Attribute) and _name(node.func.value) == "time"
    return _name(node.func) in _CLOCKS or (ours and _name(node.func) == "time")


def _is_elapsed(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_clock(node.left)


def _measures(node: ast.Assert, parents: dict[ast.AST, ast.AST]) -> bool:
    if any(map(_is_elapsed, ast.walk(node.test))):
        return True
    around = list(_ancestors(node, parents))
    names = {
        _name(target)
        for its in (_descendants(around[-1]) if around else ())
        if isinstance(its, ast.Assign) and any(map(_is_elapsed, ast.walk(its.value)))
        for target in its.targets
    }
    return any(isinstance(its, ast.Name) and its.id in names for its in ast.walk(node.test))


def _is_endless(loop: ast.While, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return True for a loop without a limit: `while True`, or polling."""
    inside = list(_descendants(loop))
    for_ever = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    looks = any(isinstance(its, ast.Call) and _sleeps(its) for its in inside)
    if not for_ever and not looks:
        return False
    if any(isinstance(its, ast.Raise | ast.Assert) for its in inside):
        return False
    # It ends by the clock or by the value that it reads.
    if any(_is_clock(its) or isinstance(its, ast.NamedExpr) for its in ast.walk(loop.test)):
        return False
    if for_ever and not looks and any(isinstance(its, _LEAVING) for its in inside):
        return False
    around = list(_ancestors(loop, parents))
    if any(isinstance(its, ast.Try) and its.handlers for its in around):
        return False  # it ends with an exception
    return not any(map(_has_limit, (*inside, *around)))


def _has_limit(node: ast.AST) -> bool:
    """Return True for a `with` that ends its block after a time or by a suppressed exception."""
    if not isinstance(node, ast.With | ast.AsyncWith):
        return False
    made = (item.context_expr for item in node.items)
    return any(isinstance(one, ast.Call) and _name(one.func) in _ENDING for one in made)
