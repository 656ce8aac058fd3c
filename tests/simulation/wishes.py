"""Commands of people other than play, and messages that the page never sends."""

from __future__ import annotations

import random
from typing import Any, Final

Message = dict[str, Any]
PONG: Final = '{"type":"pong"}'
"""What a server answers to a ping."""
_CARDS: Final = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]
_NONSENSE: Final = (
    "", "null", "[]", "{", '{"type":"sit"}', '{"type":"fly","seat":1}', "\ud83c",
    '{"type":"act","seq":-1,"action":[]}', '{"type":"act","seq":1e99,"action":["pass"]}',
    '{"version":99,"type":"hello"}', "[" * 5000, '{"type":"talk","text":"' + "x" * 500 + '"}',
    '{"type":"sit","seat":8}', '{"type":"answer","agree":"yes"}', "x" * 17_000,
)  # fmt: skip
_LINES: Final[tuple[Message, ...]] = (
    {"phrase": "👍"}, {"phrase": "nothing"}, {"phrase": "oops", "text": "oops"},
    {"text": " "}, {"text": "x" * 81}, {"text": "e" + "\u0301" * 9}, {"text": "well\nwell"},
)  # fmt: skip
"""Texts that people send as chat, most of which are refused."""


def nonsense(rng: random.Random) -> str:
    """Return a message that no page of this version sends."""
    return rng.choice(_NONSENSE).encode(errors="replace").decode()


def odd_wish(state: Message, rng: random.Random) -> Message:
    """Return a command that a person may send at any time; the server may refuse it."""
    table, you = state["table"], state["table"]["you"]
    seat = rng.randrange(table["players"])
    numbers = [one["request"] for one in table["seat_requests"]] or [0]
    removals = [one["removal"] for one in table["removed"]] or [0]
    if table["allowed"]["undo"] and rng.random() < 0.5:
        return {"type": "undo"}
    if table["allowed"]["claim"] and rng.random() < 0.5:
        return {"type": "claim"}
    if you is None and rng.random() < 0.7:
        return {"type": rng.choice(("sit", "knock")), "seat": seat}
    if table["seat_requests"] and rng.random() < 0.5:
        return {"type": "admit", "knock": rng.choice(numbers), "yes": rng.random() < 0.7}
    if table["host"] and rng.random() < 0.3:
        return rng.choice((
            {"type": "bot", "seat": seat, "name": rng.choice(("thumb", "random", "nobody"))},
            {"type": "remove", "seat": seat},
            {"type": "forgive", "removal": rng.choice(removals)},
            {"type": "joining", "joining": rng.choice(("open", "open", "ask", "locked"))},
            {"type": "host", "seat": seat},
            {"type": "renew", "link": rng.choice(("play", "watch", "replay"))},
            {"type": "writing", "on": rng.random() < 0.5},
        ))  # fmt: skip
    return rng.choice((
        {"type": "undo"}, {"type": "claim"}, {"type": "pause"}, {"type": "hint"},
        {"type": "hint"}, {"type": "hints", "on": rng.random() < 0.7},
        {"type": "swap", "seat": seat}, {"type": "cover", "seat": seat}, {"type": "back"},
        {"type": "sit", "seat": seat}, {"type": "stand"}, {"type": "talk", "phrase": "hello"},
        {"type": "talk", "phrase": "oops"}, {"type": "talk", "text": "well well"},
        {"type": "answer", "agree": False}, {"type": "rematch"}, {"type": "ping"},
        {"type": "act", "seq": state["seq"], "action": ["play", rng.choice(_CARDS)]},
        {"type": "act", "seq": state["seq"], "action": ["pass"]},
        {"type": "act", "seq": max(0, state["seq"] - 5), "action": ["play", rng.choice(_CARDS)]},
    ))  # fmt: skip


def rare_wish(state: Message, rng: random.Random) -> Message:
    """Return a command that few people ever send, most of which are refused."""
    table = state["table"]
    you = table["you"] or 0
    seat = rng.randrange(table["players"])
    held = [number for number, one in enumerate(table["seats"]) if one["person"]]
    if state["view"] is None and held and rng.random() < 0.5:
        return {"type": "swap", "seat": rng.choice(held)}
    if table["host"] and rng.random() < 0.4:
        return rng.choice((
            {"type": "writing", "on": True}, {"type": "remove", "seat": 8},
            {"type": "host", "seat": rng.choice((*held, 8))}, {"type": "forgive", "removal": 0},
            {"type": "joining", "joining": table["joining"]}, {"type": "renew", "link": "play"},
            {"type": "bot", "seat": 8, "name": "thumb"}, {"type": "cover", "seat": seat},
            {"type": "admit", "knock": 0, "yes": True},
        ))  # fmt: skip
    if rng.random() < 0.3:
        return {"type": "talk", **rng.choice(_LINES)}
    return rng.choice((
        {"type": "swap", "seat": rng.choice(held or [8])}, {"type": "swap", "seat": 8},
        {"type": "sit", "seat": rng.choice((*held, you, 8))}, {"type": "knock", "seat": seat},
        {"type": "cover", "seat": rng.choice((*held, 8))}, {"type": "back"},
        {"type": "pause"}, {"type": "resume"}, {"type": "continue", "deal": 1},
        {"type": "hints", "on": True}, {"type": "hints", "on": True}, {"type": "hint"},
        {"type": "claim"}, {"type": "rematch"}, {"type": "answer", "agree": True},
        {"type": "act", "seq": state["seq"], "action": ["fly", "AH"]},
    ))  # fmt: skip


def choose_action(state: Message, rng: random.Random) -> list[Any]:
    """Return a legal action of the seat on turn, using only what the server sent to it."""
    decision, hand = state["decision"], state["view"]["hand"]
    if decision["kind"] == "bid":
        bids: list[list[Any]] = [["bid", points] for points in decision["bids"][:1]]
        return rng.choice(bids + [["pass"]] * (4 * decision["pass"]))
    if decision["kind"] == "trump":
        return ["trump", rng.choice(decision["trumps"])]
    if decision["kind"] == "upcard":
        takes = decision["nine"] and rng.random() < 0.5
        return ["discard", [decision["nine"]] if takes else []]
    if decision["kind"] == "play":
        if decision["melds"] and rng.random() < 0.5:
            return ["meld", decision["melds"][0]["cards"]]
        return ["play", rng.choice(decision["plays"])]
    return [decision["kind"], rng.sample(hand, decision["sizes"][-1])]
