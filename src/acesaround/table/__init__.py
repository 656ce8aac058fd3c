"""One table, sans-IO: who sits where, what was asked, and the game, as a fold over log entries.

`entries` are the facts that are kept, `table` folds them, and `games` keeps the line of each game.
`commands` are what a person may send; `asking` turns one into entries or a refusal (`joining` where
it is about who may sit), `thinking` does the same for chance and bots, `claiming` proves a claim,
`names` tells people apart, and `talking` says what
they may say. `messages` are what is sent back, `seen` fills them with what one person
may be shown, `replaying` with a game that is over. Nothing here reads a clock, a socket or a file.
"""

from acesaround.table.asking import ask, lapsed
from acesaround.table.commands import Command, decode_command
from acesaround.table.entries import Config, Entry, Person
from acesaround.table.games import GameLine, games, line_of, records, told
from acesaround.table.joining import borne, key_of, link_of, token_of, waited
from acesaround.table.messages import HintGiven, Left, Message, Refusal
from acesaround.table.refusals import Refused
from acesaround.table.replaying import replay, why
from acesaround.table.seen import encode, encode_state, hinted
from acesaround.table.table import Links, Table, There, after, begin, fold
from acesaround.table.thinking import (
    hint,
    may_hint,
    pending,
    question,
    readers,
    stands,
    think,
    timed,
)

__all__ = [
    "Command",
    "Config",
    "Entry",
    "GameLine",
    "HintGiven",
    "Left",
    "Links",
    "Message",
    "Person",
    "Refusal",
    "Refused",
    "Table",
    "There",
    "after",
    "ask",
    "begin",
    "borne",
    "decode_command",
    "encode",
    "encode_state",
    "fold",
    "games",
    "hint",
    "hinted",
    "key_of",
    "lapsed",
    "line_of",
    "link_of",
    "may_hint",
    "pending",
    "question",
    "readers",
    "records",
    "replay",
    "stands",
    "think",
    "timed",
    "token_of",
    "told",
    "waited",
    "why",
]
