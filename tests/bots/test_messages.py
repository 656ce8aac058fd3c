"""Lines between a table and a program: offers list legal actions, answers are parsed strictly."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from acesaround.actions import Bid, CardSelections
from acesaround.bots.external import messages
from acesaround.game.json_format import view_to_json
from acesaround.game.view import view_for
from acesaround.legal_bids import Bids
from acesaround.record.model import action_to_json
from acesaround.rules import Rules
from tests.random_games import tables, turns

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
VERBS = ("bid", "pass", "trump", "bury", "give", "discard", "meld", "play", "concede", "deal")
ACTIONS = st.one_of(
    st.sampled_from(VERBS).map(lambda verb: [verb]),
    st.tuples(st.sampled_from(VERBS), JSON).map(list),
    st.lists(JSON),
    JSON,
)


def allows(offer: dict[str, Any], action: list[Any], hand: list[str]) -> bool:
    """Return True if an action is legal according to an offer."""
    if "legal" in offer:
        return action in offer["legal"]
    if "sizes" in offer:
        kind, cards = action
        held = list(hand)
        for card in cards:
            if card not in held:
                return False
            held.remove(card)
        return kind == offer["kind"] and len(cards) in offer["sizes"]
    if action == ["pass"]:
        return bool(offer["may_pass"])
    bid = action[1]
    if bid in offer["bids"] or offer["steps"] is None or bid < offer["bids"][0]:
        return bid in offer["bids"]
    start, step = [s for s in offer["steps"] if s[0] <= bid][-1]
    return bool((bid - start) % step == 0)


@given(rules=tables(), seed=st.integers(0, 2**32))
def test_offer_describes_exactly_the_legal_actions(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed, deals=1):
        seat, legal = turn.decision.seat, turn.decision.legal
        if seat is None:
            continue
        seen = view_for(turn.before, seat)
        line = json.loads(messages.decide_line(seen, turn.decision))
        assert set(line) == {"type", "decision", "view"}
        assert line["view"] == json.loads(view_to_json(seen))
        offer, hand = line["decision"], line["view"]["hand"]
        assert offer["kind"] == turn.decision.kind.value
        assert allows(offer, action_to_json(0, turn.action)[1:], hand)
        if isinstance(legal, Bids):
            for bid in range(legal.lowest_bid - 5, legal.lowest_bid + 200):
                assert allows(offer, ["bid", bid], hand) == (Bid(bid) in legal)
            assert allows(offer, ["pass"], hand) == legal.may_pass
        elif isinstance(legal, CardSelections):
            assert offer["sizes"] == list(legal.sizes)
        else:
            assert [messages.action_and_reason(_act(a))[0] for a in offer["legal"]] == list(legal)


def _act(action: Any, **more: Any) -> messages.ProgramAnswer:
    return messages.parse_answer(msgspec.json.encode({"type": "act", "action": action, **more}))


def is_action(line: bytes) -> bool:
    """Return True if a line is an action; any other line must raise ValueError with a sentence."""
    sentence = ""
    try:
        chosen, reason = messages.action_and_reason(messages.parse_answer(line))
    except ValueError as error:
        sentence = str(error) or "no sentence"
    if sentence:
        assert sentence != "no sentence"
        return False
    assert action_to_json(0, chosen)
    assert reason.isprintable()
    return True


@given(line=st.binary())
def test_any_bytes_are_an_action_or_refused(line: bytes) -> None:
    is_action(line)


@given(action=ACTIONS, reason=st.none() | st.text() | JSON, kind=st.sampled_from(["act", "info"]))
def test_any_json_is_an_action_or_refused(action: Any, reason: Any, kind: str) -> None:
    line = json.dumps({"type": kind, "action": action, "reason": reason}).encode()
    if is_action(line):
        assert kind == "act"
        assert isinstance(action, list)
        assert action[0] in VERBS
        assert reason is None or isinstance(reason, str)


@given(rules=tables(), seed=st.integers(0, 2**32), text=st.text())
def test_every_legal_action_is_parsed(rules: Rules, seed: int, text: str) -> None:
    for turn in turns(rules, seed, deals=1):
        if turn.decision.seat is not None:
            written = action_to_json(turn.decision.seat, turn.action)[1:]
            chosen, reason = messages.action_and_reason(_act(written, reason=text))
            assert chosen == turn.action
            assert len(reason) <= 300


def test_deep_nesting_is_refused() -> None:
    for line in (b"[" * 60_000, b'{"type":"act","action":' + b"[" * 60_000 + b"]" * 60_000 + b"}"):
        assert not is_action(line)
