from __future__ import annotations

from frontend.write_types import TARGET, render_types


def test_the_types_of_messages_in_the_page_are_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == render_types(), "run `make schema`"
