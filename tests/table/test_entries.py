"""Entries of the log as they are stored."""

from __future__ import annotations

from acesaround.table.entries import Acted, BotSubstituted, Dealt, decode


def test_missing_fields_of_stored_entries_take_their_defaults() -> None:
    acted = decode('{"type": "acted", "seat": 1, "action": ["pass"], "bot": true}')
    assert acted == Acted(1, ["pass"], bot=True, failed=False)
    assert decode('{"type": "covered", "seat": 1}') == BotSubstituted(1, late=False)
    assert decode('{"type": "dealt", "hands": []}') == Dealt([], kitty=[], stock=[], upcard=None)
