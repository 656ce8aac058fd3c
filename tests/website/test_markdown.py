"""Pages of code hosts, changed to those of the site."""

from __future__ import annotations

from docs.website.markdown import (
    first_heading,
    indent_lists,
    relative_target,
    replace_links,
    split_fences,
)


def test_the_first_heading_is_the_title() -> None:
    assert first_heading("text\n\n# How `search` decides\n\n# More\n") == "How search decides"


def test_lists_are_indented_by_four_spaces_for_each_level() -> None:
    given = "* one\n  goes on\n\n  * two\n    goes on\n1. three\n\n   | a |\n\nafter\n"
    shown = "* one\n    goes on\n\n    * two\n        goes on\n\n1. three\n\n    | a |\n\nafter\n"
    assert indent_lists(given) == shown


def test_an_item_after_one_with_blocks_is_set_apart() -> None:
    given = "1. one\n\n   | a |\n2. two\n3. three\n"
    assert indent_lists(given) == "1. one\n\n    | a |\n\n2. two\n3. three\n"


def test_blocks_of_code_are_not_indented() -> None:
    given = "```yaml\n- a\n  b\n```\n\n* one\n\n  ```\n  - a\n    b\n  ```\n"
    shown = "```yaml\n- a\n  b\n```\n\n* one\n\n    ```\n    - a\n      b\n    ```\n"
    assert indent_lists(given) == shown


def test_a_text_is_split_into_code_and_prose() -> None:
    parts = list(split_fences("a\n```py\nb\n```\nc\n"))
    assert parts == [(False, "a\n"), (True, "```py\nb\n```\n"), (False, "c\n")]


def test_links_are_replaced_outside_of_code() -> None:
    def replace(mark: str, words: str, target: str) -> str:
        return f"<{mark}{words}|{target}>"

    given = "[a](b.md#c) `[x](y)` ![p](q.png) [`d`\ne](f)\n```\n[x](y)\n```\n"
    shown = "<a|b.md#c> `[x](y)` <!p|q.png> <`d`\ne|f>\n```\n[x](y)\n```\n"
    assert replace_links(given, replace) == shown


def test_targets_are_relative_to_the_folder_of_the_page() -> None:
    assert relative_target("arena.md", "bots.md") == "bots.md"
    assert relative_target("bench/a.md", "bots.md") == "../bots.md"
