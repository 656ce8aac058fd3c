"""The signs by which persons are drawn at a table. The page has a drawing for each.

Who has chosen none is drawn by one that the page takes by the name.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

Avatar: TypeAlias = Literal[
    "bell", "boat", "cat", "cup", "fish", "flower", "house", "key",
    "kite", "lighthouse", "moon", "mushroom", "owl", "sun", "teapot", "tree",
]  # fmt: skip
AVATARS: Final[tuple[Avatar, ...]] = get_args(Avatar)


def known(avatar: str) -> str:
    """The name of a sign that is drawn still, else "" for none."""
    return avatar if avatar in AVATARS else ""
