"""Messages to external bots keep their keys and types under one version of the protocol."""

from __future__ import annotations

import copy
import json

from tests.bots.protocol_shape import RECORDED, changed_keys, shape


def test_shape_equals_the_recorded_one() -> None:
    recorded, now = json.loads(RECORDED.read_text()), shape()
    assert changed_keys(recorded, now) == [], "raise PROTOCOL in bots/external/messages.py"
    assert recorded == now, "run python -m tests.bots.protocol_shape"


def test_removed_and_changed_keys_are_found() -> None:
    before = shape()
    after = copy.deepcopy(before)
    del after["keys"]["hello.rules.seats"]
    after["keys"]["decide.view.turn"] = ["string"]
    after["keys"]["decide.view.new"] = ["string"]
    assert sorted(changed_keys(before, after)) == ["decide.view.turn", "hello.rules.seats"]
