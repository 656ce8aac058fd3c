"""Writes `src/lib/messages.ts`: TypeScript types of what server and page send to each other.

Run by `make schema` after a change to the messages. tests/test_page_types.py fails when the file
does not match them.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, get_args

import msgspec
import msgspec.inspect as types

from acesaround.actions import ACTION_TYPES, Deal
from acesaround.cards import SUITS, Card, Suit
from acesaround.game.events import Event
from acesaround.server.routes import http_messages
from acesaround.store import ListSection
from acesaround.table.avatars import Avatar
from acesaround.table.commands import Choice, Command, Ping
from acesaround.table.entries import JoiningKind, LinkKind, ProposalKind
from acesaround.table.messages import GameList, Message, RefusalCode, Replay, StepExplanation

TARGET: Final = Path(__file__).with_name("src") / "lib" / "messages.ts"
WIDTH: Final = 110  # the longest line, as in .prettierrc.json
REQUESTS: Final = tuple(http_messages.HttpRequest.__subclasses__())
ANSWERS: Final = (GameList, Replay, StepExplanation, *http_messages.HttpAnswer.__subclasses__())
SENT: Final = frozenset((*get_args(Command), Ping, *REQUESTS))
"""What the page sends: it may leave out every field that has a default."""
UNIONS: Final = {
    "Message": Message,
    "Command": Command | Ping,
    "Avatar": Avatar,
    "GameEvent": Event,
    "JoiningKind": JoiningKind,
    "LinkKind": LinkKind,
    "RefusalCode": RefusalCode,
    "PracticeTheme": http_messages.PracticeTheme,
    "ReviewKind": http_messages.ReviewKind,
    "ListSection": ListSection,
    "ProposalKind": ProposalKind,
}
"""The unions that have a name in TypeScript."""


def render_types() -> str:
    """Return the text of the file."""
    writer = _TypeWriter()
    for wanted in (*UNIONS.values(), *ANSWERS, *REQUESTS):
        writer.render(types.type_info(wanted))
    head = (
        "// Written by write_types.py (`make schema`): change the Python types instead.\n"
        'import type { JsonSchema } from "../form/fieldKind";\n'
    )
    return "\n".join([head, *writer.declarations.values()])


class _TypeWriter:
    """Collects the declarations of the types that it renders, and of the types inside them."""

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}
        self._owners: dict[str, object] = {}
        self._unions = {name: types.type_info(union) for name, union in UNIONS.items()}

    def render(self, node: types.Type) -> str:
        """Return a type in TypeScript, and declare it if it has a name."""
        for name, union in self._unions.items():
            if node == union:
                return self._declare(name, node, "", lambda: self._members(node))
        match node:
            case types.Metadata(extra_json_schema={"title": "Choice"}):
                says = "An action as in a record: its name, and what it needs."
                return self._declare("Choice", Choice, says, self._choices)
            case types.Metadata(extra_json_schema={"title": "JsonSchema"}):
                return "JsonSchema"
            case types.Metadata():
                return self.render(node.type)
            case types.AnyType():
                return "unknown"
            case types.NoneType():
                return "null"
            case types.BoolType():
                return "boolean"
            case types.IntType() | types.FloatType():
                return "number"
            case types.StrType():
                return "string"
            case types.LiteralType() | types.UnionType():
                return " | ".join(self._members(node))
            case types.ListType() | types.VarTupleType():
                item = self.render(node.item_type)
                return f"({item})[]" if " | " in item else f"{item}[]"
            case types.DictType():
                return f"Record<string, {self.render(node.value_type)}>"
            case types.EnumType():
                words = [one.value for one in node.cls]
                return self._declare(
                    node.cls.__name__, node.cls, node.cls.__doc__, lambda: _quoted(words)
                )
            case types.StructType():
                return self._declare(
                    node.cls.__name__, node.cls, node.cls.__doc__, lambda: [self._body(node)]
                )
            case types.CustomType(cls=cls) if cls is Card:
                return self._declare("Card", cls, "Rank, then suit: TH.", lambda: ["string"])
            case types.CustomType(cls=cls) if cls is Suit:
                return self._declare("Suit", cls, "", lambda: _quoted(one.letter for one in SUITS))
        raise NotImplementedError(f"no TypeScript for {node}")

    def _declare(
        self, name: str, owner: object, says: str | None, members: Callable[[], list[str]]
    ) -> str:
        """Declare a type once, as the union of its members, and return its name.

        Raise ValueError if another type has that name.
        """
        if self._owners.setdefault(name, owner) != owner:
            raise ValueError(f"two types have the name {name}")
        if name not in self.declarations:
            self.declarations[name] = ""  # a type stands before those inside it
            self.declarations[name] = _comment(says) + _declaration(name, members())
        return name

    def _members(self, node: types.Type) -> list[str]:
        if isinstance(node, types.LiteralType):
            return _quoted(node.values)
        assert isinstance(node, types.UnionType)
        return [self.render(one) for one in node.types]

    def _body(self, node: types.StructType) -> str:
        tag = [f"  {node.tag_field}: {json.dumps(node.tag)};\n"] if node.tag_field else []
        omits = node.cls in SENT or node.cls.__struct_config__.omit_defaults
        fields = [
            f"  {one.encode_name}{'?' if _is_unset(one) or (omits and not one.required) else ''}:"
            f" {self.render(one.type)};\n"
            for one in node.fields
        ]
        return f"{{\n{''.join(tag + fields)}}}"

    def _choices(self) -> list[str]:
        rendered = []
        for action in types.multi_type_info(one for one in ACTION_TYPES if one is not Deal):
            assert isinstance(action, types.StructType)
            needs = [self.render(field.type) for field in action.fields]
            rendered.append(f"[{', '.join([json.dumps(action.tag), *needs])}]")
        return rendered


def _is_unset(field: types.Field) -> bool:
    """Return whether the default of a field is UNSET: msgspec gives no default then."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def _quoted(words: Iterable[object]) -> list[str]:
    return [json.dumps(word) for word in words]


def _declaration(name: str, members: list[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};\n"
    if len(members) == 1 or len(line) <= WIDTH + 1:
        return line
    return f"export type {name} =\n" + "\n".join(f"  | {one}" for one in members) + ";\n"


def _comment(says: str | None) -> str:
    """Return a docstring as a TSDoc comment."""
    lines = inspect.cleandoc(says or "").split("\n")
    if len(lines) == 1:
        return f"/** {lines[0]} */\n" if lines[0] else ""
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


if __name__ == "__main__":
    TARGET.write_text(render_types(), encoding="utf-8")
