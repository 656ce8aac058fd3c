"""Changes pages from the Markdown of code hosts to that of the site.

On a code host the pages link to files of the repository, and items of lists are indented by the
width of their marker. The site has only some of the files, and needs four spaces.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

_FENCE: Final = re.compile(r" *(```+|~~~+)")
_ITEM: Final = re.compile(r"([*+-] +|\d+[.)] +)\S")
_CODE: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]*)\)")
_INDENT: Final = " " * 4


def first_heading(text: str) -> str:
    """Return the first heading of a page without its marks. Raises ValueError without one."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError("The page has no heading.")
    return found.group(1).replace("`", "").strip()


def split_fences(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the blocks of code and the texts between them, each with whether it is code."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if fence:
            block.append(line)
            if line.strip() == fence:
                yield True, "".join(block)
                block, fence = [], ""
        elif found:
            yield False, "".join(block)
            block, fence = [line], found.group(1)
        else:
            block.append(line)
    yield bool(fence), "".join(block)


def indent_lists(text: str) -> str:
    """Indent what belongs to an item of a list by four spaces for each level."""
    return "".join(_indented(text.splitlines(keepends=True)))


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield the lines, with four spaces for each level of their lists."""
    fence, at = "", 0
    while at < len(lines):
        line = lines[at]
        at += 1
        found = _FENCE.match(line)
        if fence or found:
            if fence and line.strip() == fence:
                fence = ""
            elif not fence and found:
                fence = found.group(1)
            yield line
            continue
        item = _ITEM.match(line)
        yield line
        if item is None:
            continue
        width = len(item.group(1))
        inner: list[str] = []
        while at < len(lines) and (not lines[at].strip() or lines[at].startswith(" " * width)):
            inner.append(lines[at][width:] if lines[at].strip() else lines[at])
            at += 1
        yield from (_INDENT + one if one.strip() else one for one in _indented(inner))
        is_block = any(not one.strip() for one in inner)
        if is_block and at < len(lines) and inner[-1].strip():
            yield "\n"  # or the next item would go on with the last block of this one


def replace_links(text: str, replace: Callable[[str, str, str], str]) -> str:
    """Return a page with other links.

    `replace` gets a link's mark (`!` of an image), its text and its target, and returns what
    stands in its place. Code stays as it is.
    """
    return "".join(
        block if is_code else _replace_in_prose(block, replace)
        for is_code, block in split_fences(text)
    )


def _replace_in_prose(text: str, replace: Callable[[str, str, str], str]) -> str:
    """Return a text without blocks of code with other links."""
    code = [match.span() for match in _CODE.finditer(text)]

    def replaced(match: re.Match[str]) -> str:
        if any(start < match.start() and match.end() < end for start, end in code):
            return match.group()
        return replace(*match.groups())

    return _LINK.sub(replaced, text)


def relative_target(page: str, target: str) -> str:
    """Return the address of one page of the site as a link on another. Both are paths of files."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")
