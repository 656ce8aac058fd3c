from __future__ import annotations

from frontend.write_types import TARGET, render_types


def test_the_page_has_the_types_of_the_messages() -> None:
    assert TARGET.read_text(encoding="utf-8") == render_types(), "run `make schema`"
