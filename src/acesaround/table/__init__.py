"""One table, sans-IO: who sits where, what was asked, and the game, as a fold over log entries.

`entries` are the facts that are kept, `table` folds them, `asking` turns what a person wants into
entries or a refusal, `thinking` does the same for chance and bots, `seen` is what one person may
be shown. Nothing here reads a clock, a socket or a file.
"""

from acesaround.table.asking import Refused, ask
from acesaround.table.commands import Command, decode_command
from acesaround.table.entries import Config, Entry, Person
from acesaround.table.seen import encode_refusal, encode_state
from acesaround.table.table import Table, after, begin, fold
from acesaround.table.thinking import hint, pending, think

__all__ = [
    "Command",
    "Config",
    "Entry",
    "Person",
    "Refused",
    "Table",
    "after",
    "ask",
    "begin",
    "decode_command",
    "encode_refusal",
    "encode_state",
    "fold",
    "hint",
    "pending",
    "think",
]
