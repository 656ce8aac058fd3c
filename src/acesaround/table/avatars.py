"""The avatars that persons can choose. The page has a drawing for each.

For a person without an avatar the page picks one by the name.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

Avatar: TypeAlias = Literal[
    "bell", "boat", "cat", "cup", "fish", "flower", "house", "key",
    "kite", "lighthouse", "moon", "mushroom", "owl", "sun", "teapot", "tree",
]  # fmt: skip
AVATARS: Final[tuple[Avatar, ...]] = get_args(Avatar)


def avatar_or_empty(avatar: str) -> str:
    """Return the avatar if it still exists, else ""."""
    return avatar if avatar in AVATARS else ""
