"""One table, sans-IO: seats, play against bots, consent, refusals, secrecy and records."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from acesaround import game, variants
from acesaround.actions import Bids
from acesaround.cards import CARDS
from acesaround.game.events import BidMade, Buried, Passed
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import Undone, view_for
from acesaround.record import verify
from acesaround.record.model import to_json
from acesaround.table import (
    Command,
    Config,
    Entry,
    Person,
    Refused,
    Table,
    TablePresence,
    apply_entry,
    automatic_actor,
    automatic_entry,
    begin,
    decode_command,
    encode_state,
    entries,
    fold,
    handle_command,
)
from acesaround.table import commands as say
from acesaround.table.games import records

ANN, BOB, CLEO = Person("a1", "Ann"), Person("b2", "Bob"), Person("c3", "Cleo")


class Log:
    """A table with its log, as a server would keep it."""

    def __init__(self, config: Config, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.there = TablePresence()
        self.entries: list[Entry] = list(begin(config, ANN))
        self.table: Table = fold(self.entries)

    def add(self, *new: Entry) -> None:
        for entry in new:
            self.entries.append(entry)
            self.table, _ = apply_entry(self.table, entry)

    def do(self, person: Person, command: Command) -> None:
        self.add(*handle_command(self.table, person, command, self.rng, self.there))

    def refusal(self, person: Person, command: Command) -> str:
        before = self.table
        with pytest.raises(Refused) as refused:
            self.do(person, command)
        assert self.table == before
        return refused.value.code

    def bots(self) -> None:
        """Let chance and bots act until a person is to."""
        while automatic_actor(self.table) is not None:
            self.add(automatic_entry(self.table, self.rng))

    def bots_but_deal(self) -> None:
        """The same, up to the next cards."""
        while isinstance(automatic_actor(self.table), int):
            self.add(automatic_entry(self.table, self.rng))

    def play(self, person: Person, deals: int) -> None:
        """A person who chooses at random, for that many deals."""
        self.bots()
        while (
            self.table.game is not None and self.table.is_playing and self.table.game.deals < deals
        ):
            self.do(person, say.Act(self.table.seq, choice(self.table, self.rng)))
            self.bots()


def choice(table: Table, rng: random.Random) -> list[Any]:
    assert table.game is not None
    decision: Decision = game.decision(table.game)
    assert decision.seat is not None
    legal = decision.legal
    few = tuple(islice(legal, 3)) if isinstance(legal, Bids) else legal
    assert isinstance(few, Sequence)
    return to_json(decision.seat, rng.choice(few))[1:]


def config(variant: str = "partnership", **more: Any) -> Config:
    preset = variants.VARIANTS[variant]
    return Config(variant, preset.seats, bots="random", **more)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_person_plays_deals_against_bots(variant: str) -> None:
    """The table of a log folded again is the same, and its record is sound."""
    log = Log(config(variant, options={"hands": 2}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=2)
    assert fold(log.entries) == log.table
    stored = [entries.decode(entries.encode(entry)) for entry in log.entries]
    assert fold(stored) == log.table
    (record,) = records(log.entries)
    assert verify(record) == []
    assert len(record.deals) >= 2


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_no_message_holds_a_card_the_person_may_not_know(variant: str) -> None:
    """The bytes for a seat do not change when the cards it cannot see do."""
    log = Log(config(variant))
    log.do(ANN, say.Start())
    log.bots()
    assert log.table.game is not None
    text = encode_state(log.table, "t", ANN.id).decode()
    seen = json.loads(text)
    own = {str(card) for card in log.table.game.hand(0)}
    public = json.dumps([seen["view"][k] for k in ("kitty", "upcard", "trick", "tricks", "melds")])
    hidden = [str(c) for c in CARDS if str(c) not in own and f'"{c}"' not in public]
    assert hidden
    assert not [card for card in hidden if f'"{card}"' in text]


def test_a_spectator_sees_no_hand() -> None:
    """Who holds no seat sees what is public."""
    log = Log(config("double-deck"))
    log.do(ANN, say.Start())
    log.bots()
    seen = json.loads(encode_state(log.table, "t", None))
    assert seen["view"]["hand"] == []
    assert seen["decision"] is None
    assert seen["table"]["you"] is None


def test_no_message_holds_the_id_of_a_person() -> None:
    """Ids are what cookies prove: they stay on the server."""
    log = Log(config())
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    text = encode_state(
        log.table, "t", BOB.id, presence=TablePresence(frozenset([ANN.id]))
    ).decode()
    assert ANN.id not in text
    assert BOB.id not in text
    assert [seat["present"] for seat in json.loads(text)["table"]["seats"]] == [True] + [False] * 3


def test_a_table_counts_the_entries_of_its_log() -> None:
    log = Log(config())
    for count in (2, 3):
        assert (log.table.seq, len(log.entries)) == (count, count)
        log.do(BOB, say.Sit(count))
    log.do(ANN, say.Start())
    log.bots()
    assert log.table.seq == len(log.entries)


def test_a_seat_whose_bot_failed_says_so_until_it_has_another() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.add(automatic_entry(log.table, log.rng))
    assert log.table.game is not None
    seat = game.decision(log.table.game).seat
    assert seat is not None
    log.add(entries.Acted(seat, ["pass"], bot=True, failed=True))
    assert [held.bot_failed for held in log.table.seats] == [n == seat for n in range(4)]
    log.do(ANN, say.SetBot(seat, "thumb"))
    assert not any(held.bot_failed for held in log.table.seats)


def test_seats_are_taken_left_and_swapped() -> None:
    """A person holds one seat; taking another leaves the first to its bot."""
    log = Log(config())
    log.do(BOB, say.Sit(1))
    assert log.refusal(CLEO, say.Sit(1)) == "seat"
    log.do(BOB, say.Sit(3))
    assert log.table.seat_of(BOB.id) == 3
    assert log.table.seats[1].person is None
    log.do(BOB, say.Stand())
    assert log.table.seat_of(BOB.id) is None
    assert log.refusal(BOB, say.Stand()) == "seat"
    assert log.refusal(BOB, say.Sit(8)) == "seat"


def test_what_is_the_hosts_to_do_is_refused_to_others() -> None:
    """Beginning, removing and naming bots are for the host."""
    log = Log(config())
    log.do(BOB, say.Sit(1))
    for command in (say.Start(), say.Remove(0), say.SetBot(2, "random")):
        assert log.refusal(BOB, command) == "host"
    assert log.refusal(ANN, say.SetBot(2, "nobody")) == "malformed"
    log.do(ANN, say.Remove(1))
    assert log.table.seat_of(BOB.id) is None


def test_a_seat_can_be_left_and_taken_back_in_the_middle_of_a_deal() -> None:
    """A bot plays on for who leaves, and the person gets the same seat and cards back."""
    log = Log(config())
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.bots()
    log.do(BOB, say.Stand())
    log.bots()
    log.do(BOB, say.Sit(1))
    assert log.table.seat_of(BOB.id) == 1
    assert json.loads(encode_state(log.table, "t", BOB.id))["view"]["hand"]


def test_stale_illegal_and_out_of_turn_actions_are_refused() -> None:
    """Every refusal has a code, and the table is unharmed."""
    log = Log(config(), seed=3)
    for seat, person in ((1, BOB), (2, CLEO)):
        log.do(person, say.Sit(seat))
    assert log.refusal(ANN, say.Act(log.table.seq, ["pass"])) == "rule"
    log.do(ANN, say.Start())
    log.bots()
    assert log.table.game is not None
    turn = game.decision(log.table.game).seat
    people = {0: ANN, 1: BOB, 2: CLEO}
    assert turn in people
    other = people[(turn + 1) % 3]
    assert log.refusal(people[turn], say.Act(log.table.moved_seq - 1, ["pass"])) == "stale"
    assert log.refusal(other, say.Act(log.table.seq, ["pass"])) == "turn"
    assert log.refusal(people[turn], say.Act(log.table.seq, ["bid", 10])) == "rule"
    assert log.refusal(people[turn], say.Act(log.table.seq, ["bid", "ten"])) == "malformed"
    assert log.refusal(people[turn], say.Act(log.table.seq, [])) == "malformed"


def test_talk_and_seats_make_no_choice_stale() -> None:
    """Only what changes the game does."""
    log, first, second = two_people(2)
    seq = log.table.seq
    log.do(second, say.Talk("hello"))
    log.do(CLEO, say.Knock(3))
    log.there = TablePresence(frozenset([CLEO.id]))
    log.do(ANN, say.Admit(log.table.knockers[0].seq, yes=True))
    assert log.table.seat_of(CLEO.id) == 3
    log.do(first, say.Act(seq, choice(log.table, log.rng)))
    assert log.refusal(first, say.Act(seq, ["pass"])) == "stale"


def test_a_paused_table_stands_still() -> None:
    """Neither bots nor persons act until it is resumed."""
    log = Log(config())
    log.do(ANN, say.Start())
    log.do(ANN, say.Pause())
    assert automatic_actor(log.table) is None
    assert log.refusal(ANN, say.Pause()) == "rule"
    assert log.refusal(ANN, say.Act(log.table.seq, ["pass"])) == "paused"
    log.do(ANN, say.Resume())
    assert automatic_actor(log.table) == "deal"


def two_people(seed: int) -> tuple[Log, Person, Person]:
    """A table where Ann is to bid and Bob, opposite, waits."""
    log = Log(config(), seed)
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    log.bots()
    assert log.table.game is not None
    turn = game.decision(log.table.game).seat
    return (log, ANN, BOB) if turn == 0 else (log, BOB, ANN)


def test_an_action_is_taken_back_when_the_others_agree() -> None:
    """Undo asks everybody else, and the game is as it was."""
    log, first, second = two_people(2)
    before = log.table.game
    log.do(first, say.Act(log.table.seq, choice(log.table, log.rng)))
    log.do(first, say.Undo())
    assert log.table.game != before
    assert automatic_actor(log.table) is None
    assert log.refusal(first, say.Answer(True)) == "rule"
    log.do(second, say.Answer(True))
    assert log.table.game == before
    (record,) = records(log.entries)
    assert before is not None
    assert len(record.deals[0].actions) == len(before.deal.auction)


def test_what_was_seen_of_an_action_taken_back_is_not_forgotten_in_this_deal() -> None:
    log, first, second = two_people(2)
    log.do(first, say.Act(log.table.seq, ["bid", 270]))
    log.bots()
    log.do(first, say.Undo())
    log.do(second, say.Answer(True))
    seat = log.table.seat_of(first.id)
    assert seat is not None
    for other in (None, *range(4)):
        (undone,) = log.table.view(other).undone
        assert undone.after == 0
        assert undone.events[0] == BidMade(seat, 270)
        assert all(isinstance(event, BidMade | Passed) for event in undone.events)


def test_cards_buried_and_taken_back_stay_hidden_from_others() -> None:
    for seed in range(60):
        log = Log(config("three-handed", options={}), seed)
        log.do(ANN, say.Start())
        log.bots()
        while log.table.game is not None and log.table.game.deals == 0:
            decision = game.decision(log.table.game)
            log.do(ANN, say.Act(log.table.seq, choice(log.table, log.rng)))
            if decision.kind is DecisionKind.BURY:
                buried = log.table.game.deal.buried
                log.do(ANN, say.Undo())
                for other, cards in ((0, buried), (1, None), (None, None)):
                    assert log.table.view(other).undone == (Undone(0, (Buried(0, 3, cards),)),)
                return
            log.bots()
    raise AssertionError("Ann never had the bid")


def test_an_action_stays_when_somebody_does_not_agree() -> None:
    """One refusal is enough."""
    log, first, second = two_people(2)
    log.do(first, say.Act(log.table.seq, choice(log.table, log.rng)))
    after_it = log.table.game
    log.do(first, say.Undo())
    log.do(second, say.Answer(False))
    assert log.table.game == after_it
    assert log.table.proposal is None


def test_nothing_is_taken_back_once_another_card_has_been_seen() -> None:
    """When a bot has played a card since, undo is refused."""
    log = Log(config("two-handed"), seed=4)
    log.do(ANN, say.Start())
    log.bots()
    log.do(ANN, say.Act(log.table.seq, choice(log.table, log.rng)))
    log.bots()
    assert log.refusal(ANN, say.Undo()) == "rule"


def test_nothing_is_taken_back_once_the_kitty_lies_open() -> None:
    """The calls of others leave undo as it is; what they show does not."""
    log = Log(config("three-handed", options={"lowest_bid": 250}))
    log.do(ANN, say.Start())
    log.bots()
    log.do(ANN, say.Act(log.table.seq, ["bid", 400]))
    while log.table.game is not None and log.table.game.deal.declarer is None:
        assert log.table.undoable is not None
        seat = game.decision(log.table.game).seat
        assert seat is not None
        log.add(entries.Acted(seat, ["pass"], bot=True))
    assert log.table.game is not None
    assert view_for(log.table.game, 0).kitty
    assert log.table.undoable is None
    assert log.refusal(ANN, say.Undo()) == "rule"


def test_another_game_begins_when_everybody_is_ready() -> None:
    """In the three-handed game its last winner deals first."""
    log = Log(config("three-handed", options={"hands": 1}))
    log.do(ANN, say.Start())
    assert log.refusal(ANN, say.Rematch()) == "rule"
    log.play(ANN, deals=50)
    assert log.table.game is not None
    winner = log.table.game.winner
    assert winner is not None
    log.do(ANN, say.Rematch())
    assert log.table.game_count == 2
    assert log.table.game.dealer == winner
    log.play(ANN, deals=50)
    assert [verify(record) for record in records(log.entries)] == [[], []]


def test_who_leaves_is_not_ready_for_another_game_and_who_stays_still_is() -> None:
    log = Log(config(options={"hands": 1}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=9)
    log.do(BOB, say.Sit(1))
    log.do(CLEO, say.Sit(2))
    log.do(ANN, say.Rematch())
    log.do(BOB, say.Rematch())
    assert set(log.table.ready_seats) == {0, 1}
    log.do(BOB, say.Stand())
    assert set(log.table.ready_seats) == {0}


def test_talk_is_made_of_known_phrases() -> None:
    """No free text between strangers."""
    log = Log(config())
    log.do(ANN, say.Talk("well-played"))
    assert log.table.chat[-1].phrase == "well-played"
    assert log.refusal(ANN, say.Talk("send money")) == "malformed"


@pytest.mark.parametrize(
    "message",
    ["", "{}", "[]", '{"type":"dance"}', '{"type":"sit"}', '{"type":"sit","seat":"x"}',
     '{"type":"sit","seat":-1}', '{"type":"act","seq":1}', b"\xff", "[" * 100_000],
)  # fmt: skip
def test_a_message_that_is_none_is_refused_with_a_sentence(message: str | bytes) -> None:
    """Whatever a client sends, it is one clear error."""
    with pytest.raises(ValueError, match="The message is invalid"):
        decode_command(message)


@pytest.mark.parametrize(
    ("variant", "sides", "partners"),
    [
        ("partnership", [[0, 2], [1, 3]], True),
        ("double-deck", [[0, 2], [1, 3]], True),
        ("three-handed", [[0], [1], [2]], False),
        ("two-handed", [[0], [1]], False),
    ],
)
def test_a_table_says_who_scores_together(
    variant: str, sides: list[list[int]], partners: bool
) -> None:
    """The page is told: it works no side out."""
    shown = json.loads(encode_state(Log(config(variant)).table, "t", ANN.id))["table"]
    assert (shown["sides"], shown["partners"]) == (sides, partners)


def test_who_passes_cards_is_told_to_whom() -> None:
    log = Log(config(options={"hands": 5}))
    log.do(ANN, say.Start())
    given = []
    for _ in range(200):
        log.bots()
        state = log.table.game
        assert state is not None
        shown = json.loads(encode_state(log.table, "t", ANN.id))
        if not log.table.is_playing or state.deals > 4:
            break
        if shown["decision"]["kind"] == "give":
            given.append(shown["decision"]["to"])
        else:
            assert shown["decision"]["to"] is None
        log.do(ANN, say.Act(log.table.seq, choice(log.table, log.rng)))
    assert given
    assert set(given) == {2}
