"""Bots that are Python classes: `MODULE:CLASS`, or a name that an installed package registers.

A package registers its bots as entry points of the group `acesaround.bots`. The class is called
with a random generator, and with the options of the name as keyword arguments, all of them text.
Modules in the current folder are found too, in worker processes as well.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from acesaround.bots.player import Player
from acesaround.bots.spec import Spec
from acesaround.errors import RulesError

ENTRY_POINT_GROUP: Final = "acesaround.bots"
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CLASS: Final = re.compile(r"[A-Z]\w*")


def load_python_bot(parsed: Spec) -> tuple[Callable[..., Player], dict[str, str]] | None:
    """Return the class of a parsed name and its options, None if the name means no class.

    Raises RulesError if the module cannot be imported or has no such class.
    """
    options = dict(parsed.options)
    class_name = next(iter(options), "")
    if _MODULE.fullmatch(parsed.name) and _CLASS.fullmatch(class_name) and not options[class_name]:
        del options[class_name]
        return _load_class(parsed.name, class_name), options
    registered = _load_entry_point(parsed.name)
    return None if registered is None else (registered, options)


def _load_class(module_name: str, class_name: str) -> Callable[..., Player]:
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]:
            raise RulesError(
                f"There is no module {module_name!r}, neither in this folder nor installed."
            ) from None
        raise RulesError(f"Cannot import the module {module_name!r}: {_reason(error)}.") from error
    return _require_class(getattr(module, class_name, None), f"{module_name}:{class_name}")


@cache
def _load_entry_point(name: str) -> Callable[..., Player] | None:
    for entry_point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        try:
            loaded = entry_point.load()
        except Exception as error:
            raise RulesError(
                f"Cannot load the bot {name!r} of {entry_point.value!r}: {_reason(error)}."
            ) from error
        return _require_class(loaded, entry_point.value)
    return None


def _require_class(found: Any, name: str) -> Callable[..., Player]:
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise RulesError(f"{name!r} is not a bot: expected a class with a method `choose`.")
    return found


def _reason(error: Exception) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text[:300].removesuffix(".")
