"""Under one number of the protocol the messages to external bots keep their keys and types."""

from __future__ import annotations

import copy
import json

from tests.bots.protocol_shape import RECORDED, lost, shape


def test_the_shape_is_the_recorded_one() -> None:
    recorded, now = json.loads(RECORDED.read_text()), shape()
    assert lost(recorded, now) == [], "raise PROTOCOL in bots/external/messages.py"
    assert recorded == now, "run python -m tests.bots.protocol_shape"


def test_a_key_that_is_gone_or_changed_is_found() -> None:
    before = shape()
    after = copy.deepcopy(before)
    del after["keys"]["hello.rules.seats"]
    after["keys"]["decide.view.turn"] = ["string"]
    after["keys"]["decide.view.new"] = ["string"]
    assert sorted(lost(before, after)) == ["decide.view.turn", "hello.rules.seats"]
