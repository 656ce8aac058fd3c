"""The check of the types of public modules."""

from __future__ import annotations

from pathlib import Path

from tests.public_types import incomplete_types

SOURCE = """
class Counter:
    def __init__(self, names: list[str]) -> None:
        self.size: int = len(names)
        self.names = tuple(names)

def count(counter: Counter) -> int:
    return counter.size
"""


def test_an_attribute_without_annotation_is_found(tmp_path: Path) -> None:
    package = tmp_path / "planted"
    package.mkdir()
    (package / "py.typed").touch()
    (package / "__init__.py").write_text(SOURCE, encoding="utf-8")
    attribute, function = sorted(incomplete_types(package), key=lambda place: place.line)
    assert (attribute.file, attribute.line) == ("planted/__init__.py", 5)
    assert attribute.name == "planted.Counter.names"
    assert "missing type annotation" in attribute.message
    assert function.name == "planted.count"  # its parameter has the incomplete class
