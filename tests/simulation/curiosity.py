"""Unusual actions of people: odd names, lists, house rules, and requests for many pages.

Every seventh world has such people, so that the others stay cheap. Their operator looks, too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from acesaround.retention.database_stats import count_database
from acesaround.retention.export_person import export_person
from acesaround.store import Store, admin_listing, people
from tests.simulation.wishes import Message

if TYPE_CHECKING:
    from tests.simulation.clients import Device

WORLDS_PER_CURIOUS_WORLD: Final = 7
CURIOUS_REMAINDER: Final = 2
_NAMES: Final = (
    "Ann", "Ann 2", "\u0410nn", "A\u0438n", "ANN\ufe0f", "Z\u00eb\u02bb \u661f", "Rnn", "\u1d00nn",
    "", "...", "you", "Bot Ann", "thumb", "x" * 41, "e" + "\u0301" * 9,
)  # fmt: skip
_LOOKS: Final = (
    "/api/own", "/metrics", "/api/tables?page=2", "/api/tables/TABLE/rules",
    "/api/tables/TABLE/invitation", "/api/tables/TABLE/record.txt",
    "/api/tables/TABLE/record.json?game=2", "/api/tables/TABLE/replay?game=1&deal=2",
    "/api/tables/TABLE/replay?game=1&deal=9", "/api/tables/TABLE/replay?game=9&deal=1",
    "/api/tables/TABLE/why?game=1&deal=1&step=0", "/api/tables/TABLE/why?game=1&deal=1&step=9",
    "/api/tables/TABLE/why?game=1&deal=1&step=999", "/api/tables/TABLE/games",
    "/api/tables/TABLE/replay?game=1&deal=1", "/api/tables/TABLE/record.json",
)  # fmt: skip
_SHEETS: Final[tuple[Message, ...]] = (
    {"base": "partnership", "title": "Our game", "auction.lowest_bid": 200},
    {"base": "partnership", "title": "Another", "melds.dix": 20}, {"base": "nothing"},
)  # fmt: skip
_KEYS: Final = ("", "", "our-game", "another")


def be_curious(device: Device, rng: random.Random, tables: Sequence[str]) -> None:
    """Let a person do one of these actions."""
    table = device.token or "none"
    tokens = (table, table, *tables, "none")
    what = rng.choice(("look", "name", "section", "sheet", "forget", "code"))
    if what == "look":
        look(device, rng)
    elif what == "name":
        avatar = rng.choice((None, "", "owl", "nobody"))
        device.ask("POST", "/api/me", {"name": rng.choice(_NAMES), "avatar": avatar})
    elif what == "section":
        section = rng.choice(("", "archived", "deleted"))
        device.ask("POST", "/api/mine", {"table": rng.choice(tokens), "list_section": section})
    elif what == "sheet":
        wish = {"values": rng.choice(_SHEETS), "key": rng.choice(_KEYS)}
        device.ask("POST", "/api/own", wish)
    elif what == "forget":
        device.ask("POST", "/api/own/delete", {"key": rng.choice(_KEYS[2:])})
    else:
        device.ask("POST", "/api/devices/look", {"code": "one two three four five six"})


def look(device: Device, rng: random.Random) -> None:
    """Let a person ask for something about the table, or for a list."""
    device.ask("GET", rng.choice(_LOOKS).replace("TABLE", device.token or "none"))


async def inspect(store: Store, table_id: str, rng: random.Random) -> None:
    """Request everything that an operator can read; the answers are not checked."""
    await admin_listing.list_tables(store, is_over=rng.choice((None, True, False)), search="a")
    await admin_listing.count_tables(store, changed_before=store.now())
    await people.count_people(store, rng.choice(("", "Ann")))
    for person, _ in await people.list_people(store, rng.choice(("", "Ann")), 0, 3):
        msgspec.json.encode(await export_person(store, person))
    await people.find_person(store, table_id)
    await count_database(store)
