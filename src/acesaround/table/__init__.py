"""One table, sans-IO: seats, proposals and the game, as a fold over log entries.

`entries` defines the stored facts, `folding` folds them into a `table`, and `fold_games` keeps the
history of each game. `commands` defines what a person may send. `command_handler` turns a command
into entries or a refusal, with `joining` for the commands about seats. `bot_turns` does the same
for deals and bots, and `seat_release` for the seats of people who are away. `trick_claims` proves a
claim, `names` keeps display names distinct, and `chat` checks chat lines. `messages` defines what
is sent back; `client_state` and `legal_choices` fill in what one person may see and do, and
`replay_message` a finished game. This package reads no clock, socket or file.
"""

from acesaround.table.bot_turns import (
    automatic_actor,
    automatic_entry,
    bot_request,
    clock_paused,
    hint,
    may_hint,
    seat_on_clock,
    seats_still_reading,
)
from acesaround.table.client_state import encode, encode_state, hint_message
from acesaround.table.command_handler import expire_proposal, handle_command
from acesaround.table.command_refusals import CommandRefused
from acesaround.table.commands import Command, decode_command
from acesaround.table.entries import Config, Entry, Person
from acesaround.table.folding import apply_entry, begin, fold
from acesaround.table.games import GameHistory, fold_games, game_records, history_of, public_record
from acesaround.table.joining import (
    can_get_seat,
    display_name,
    draw_token,
    find_or_draw_key,
    new_link,
    seat_waiting_people,
)
from acesaround.table.lesson_play import open_lesson, watched_entry
from acesaround.table.messages import HintGiven, Message, Pong, RefusalMessage, TimeLeft
from acesaround.table.replay_message import explain_step, replay
from acesaround.table.seat_release import releasable_seats, release_seats
from acesaround.table.table import Links, Table, TablePresence

__all__ = [
    "Command",
    "CommandRefused",
    "Config",
    "Entry",
    "GameHistory",
    "HintGiven",
    "Links",
    "Message",
    "Person",
    "Pong",
    "RefusalMessage",
    "Table",
    "TablePresence",
    "TimeLeft",
    "apply_entry",
    "automatic_actor",
    "automatic_entry",
    "begin",
    "bot_request",
    "can_get_seat",
    "clock_paused",
    "decode_command",
    "display_name",
    "draw_token",
    "encode",
    "encode_state",
    "expire_proposal",
    "explain_step",
    "find_or_draw_key",
    "fold",
    "fold_games",
    "game_records",
    "handle_command",
    "hint",
    "hint_message",
    "history_of",
    "may_hint",
    "new_link",
    "open_lesson",
    "public_record",
    "releasable_seats",
    "release_seats",
    "replay",
    "seat_on_clock",
    "seat_waiting_people",
    "seats_still_reading",
    "watched_entry",
]
