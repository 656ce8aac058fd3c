"""A table: seats, play against bots, consent, refusals, hidden information and records."""

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
from acesaround.table.games import game_records

ANN, BOB, CLEO = Person("a1", "Ann"), Person("b2", "Bob"), Person("c3", "Cleo")


class Log:
    """A table with its log."""

    def __init__(self, config: Config, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.presence = TablePresence()
        self.entries: list[Entry] = list(begin(config, ANN))
        self.table: Table = fold(self.entries)

    def add(self, *new: Entry) -> None:
        for entry in new:
            self.entries.append(entry)
            self.table, _ = apply_entry(self.table, entry)

    def do(self, person: Person, command: Command) -> None:
        self.add(*handle_command(self.table, person, command, self.rng, self.presence))

    def refusal(self, person: Person, command: Command) -> str:
        before = self.table
        with pytest.raises(Refused) as refused:
            self.do(person, command)
        assert self.table == before
        return refused.value.code

    def play_bots(self) -> None:
        """Deal and let bots act until a person is on turn."""
        while automatic_actor(self.table) is not None:
            self.add(automatic_entry(self.table, self.rng))

    def play_bots_to_deal(self) -> None:
        """Let bots act until a person is on turn or cards are to be dealt."""
        while isinstance(automatic_actor(self.table), int):
            self.add(automatic_entry(self.table, self.rng))

    def act_randomly(self, person: Person) -> None:
        self.do(person, say.Act(self.table.seq, random_action(self.table, self.rng)))

    def play(self, person: Person, deals: int) -> None:
        """Play so many deals in which the person chooses at random."""
        self.play_bots()
        while (
            self.table.game is not None and self.table.is_playing and self.table.game.deals < deals
        ):
            self.act_randomly(person)
            self.play_bots()


def random_action(table: Table, rng: random.Random) -> list[Any]:
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
def test_the_log_of_a_game_against_bots_folds_to_its_table_and_record(variant: str) -> None:
    log = Log(config(variant, options={"hands": 2}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=2)
    assert fold(log.entries) == log.table
    stored = [entries.decode(entries.encode(entry)) for entry in log.entries]
    assert fold(stored) == log.table
    (record,) = game_records(log.entries)
    assert verify(record) == []
    assert len(record.deals) >= 2


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_state_sent_to_a_person_has_no_hidden_card(variant: str) -> None:
    log = Log(config(variant))
    log.do(ANN, say.Start())
    log.play_bots()
    assert log.table.game is not None
    text = encode_state(log.table, "t", ANN.id).decode()
    seen = json.loads(text)
    own = {str(card) for card in log.table.game.hand(0)}
    public = json.dumps([seen["view"][k] for k in ("kitty", "upcard", "trick", "tricks", "melds")])
    hidden = [str(c) for c in CARDS if str(c) not in own and f'"{c}"' not in public]
    assert hidden
    assert not [card for card in hidden if f'"{card}"' in text]


def test_a_spectator_sees_no_hand() -> None:
    log = Log(config("double-deck"))
    log.do(ANN, say.Start())
    log.play_bots()
    seen = json.loads(encode_state(log.table, "t", None))
    assert seen["view"]["hand"] == []
    assert seen["decision"] is None
    assert seen["table"]["you"] is None


def test_the_state_sent_to_a_person_has_no_person_ids() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    text = encode_state(
        log.table, "t", BOB.id, presence=TablePresence(frozenset([ANN.id]))
    ).decode()
    assert ANN.id not in text
    assert BOB.id not in text
    assert [seat["present"] for seat in json.loads(text)["table"]["seats"]] == [True] + [False] * 3


def test_seq_counts_the_entries_of_the_log() -> None:
    log = Log(config())
    for count in (2, 3):
        assert (log.table.seq, len(log.entries)) == (count, count)
        log.do(BOB, say.Sit(count))
    log.do(ANN, say.Start())
    log.play_bots()
    assert log.table.seq == len(log.entries)


def test_bot_failed_is_set_until_the_seat_has_another_bot() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.add(automatic_entry(log.table, log.rng))
    assert log.table.game is not None
    seat = game.decision(log.table.game).seat
    assert seat is not None
    log.add(entries.Acted(seat, ["pass"], bot=True, failed=True))
    assert [row.bot_failed for row in log.table.seats] == [n == seat for n in range(4)]
    log.do(ANN, say.SetBot(seat, "thumb"))
    assert not any(row.bot_failed for row in log.table.seats)


def test_a_person_holds_one_seat_and_may_stand_up() -> None:
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


def test_commands_of_the_host_are_refused_to_others() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(1))
    for command in (say.Start(), say.Remove(0), say.SetBot(2, "random")):
        assert log.refusal(BOB, command) == "host"
    assert log.refusal(ANN, say.SetBot(2, "nobody")) == "malformed"
    log.do(ANN, say.Remove(1))
    assert log.table.seat_of(BOB.id) is None


def test_a_person_gets_the_own_hand_back_after_standing_up_in_a_deal() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.play_bots()
    log.do(BOB, say.Stand())
    log.play_bots()
    log.do(BOB, say.Sit(1))
    assert log.table.seat_of(BOB.id) == 1
    assert json.loads(encode_state(log.table, "t", BOB.id))["view"]["hand"]


def test_stale_illegal_and_out_of_turn_actions_are_refused() -> None:
    log = Log(config(), seed=3)
    for seat, person in ((1, BOB), (2, CLEO)):
        log.do(person, say.Sit(seat))
    assert log.refusal(ANN, say.Act(log.table.seq, ["pass"])) == "rule"
    log.do(ANN, say.Start())
    log.play_bots()
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


def test_chat_and_seating_do_not_make_an_action_stale() -> None:
    log, first, second = two_people(2)
    seq = log.table.seq
    log.do(second, say.Talk("hello"))
    log.do(CLEO, say.Knock(3))
    log.presence = TablePresence(frozenset([CLEO.id]))
    log.do(ANN, say.Admit(log.table.knockers[0].seq, yes=True))
    assert log.table.seat_of(CLEO.id) == 3
    log.do(first, say.Act(seq, random_action(log.table, log.rng)))
    assert log.refusal(first, say.Act(seq, ["pass"])) == "stale"


def test_at_a_paused_table_nobody_acts() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.do(ANN, say.Pause())
    assert automatic_actor(log.table) is None
    assert log.refusal(ANN, say.Pause()) == "rule"
    assert log.refusal(ANN, say.Act(log.table.seq, ["pass"])) == "paused"
    log.do(ANN, say.Resume())
    assert automatic_actor(log.table) == "deal"


def two_people(seed: int) -> tuple[Log, Person, Person]:
    """Return a table, the person on turn to bid, and the other one."""
    log = Log(config(), seed)
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    log.play_bots()
    assert log.table.game is not None
    turn = game.decision(log.table.game).seat
    return (log, ANN, BOB) if turn == 0 else (log, BOB, ANN)


def test_an_action_is_undone_with_the_consent_of_all() -> None:
    log, first, second = two_people(2)
    before = log.table.game
    log.act_randomly(first)
    log.do(first, say.Undo())
    assert log.table.game != before
    assert automatic_actor(log.table) is None
    assert log.refusal(first, say.Answer(True)) == "rule"
    log.do(second, say.Answer(True))
    assert log.table.game == before
    (record,) = game_records(log.entries)
    assert before is not None
    assert len(record.deals[0].actions) == len(before.deal.auction)


def test_undone_events_stay_in_all_views_of_the_deal() -> None:
    log, first, second = two_people(2)
    log.do(first, say.Act(log.table.seq, ["bid", 270]))
    log.play_bots()
    log.do(first, say.Undo())
    log.do(second, say.Answer(True))
    seat = log.table.seat_of(first.id)
    assert seat is not None
    for other in (None, *range(4)):
        (undone,) = log.table.view(other).undone
        assert undone.after == 0
        assert undone.events[0] == BidMade(seat, 270)
        assert all(isinstance(event, BidMade | Passed) for event in undone.events)


def test_cards_of_an_undone_bury_stay_hidden_from_others() -> None:
    for seed in range(60):
        log = Log(config("three-handed", options={}), seed)
        log.do(ANN, say.Start())
        log.play_bots()
        while log.table.game is not None and log.table.game.deals == 0:
            decision = game.decision(log.table.game)
            log.act_randomly(ANN)
            if decision.kind is DecisionKind.BURY:
                buried = log.table.game.deal.buried
                log.do(ANN, say.Undo())
                for other, cards in ((0, buried), (1, None), (None, None)):
                    assert log.table.view(other).undone == (Undone(0, (Buried(0, 3, cards),)),)
                return
            log.play_bots()
    raise AssertionError("Ann was never declarer")


def test_one_denial_rejects_an_undo() -> None:
    log, first, second = two_people(2)
    log.act_randomly(first)
    after = log.table.game
    log.do(first, say.Undo())
    log.do(second, say.Answer(False))
    assert log.table.game == after
    assert log.table.proposal is None


def test_undo_is_refused_after_a_bot_has_played_a_card() -> None:
    log = Log(config("two-handed"), seed=4)
    log.do(ANN, say.Start())
    log.play_bots()
    log.act_randomly(ANN)
    log.play_bots()
    assert log.refusal(ANN, say.Undo()) == "rule"


def test_undo_is_refused_after_the_kitty_is_shown() -> None:
    log = Log(config("three-handed", options={"lowest_bid": 250}))
    log.do(ANN, say.Start())
    log.play_bots()
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


def test_a_rematch_starts_when_all_are_ready() -> None:
    """In the three-handed game the last winner deals first."""
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
    assert [verify(record) for record in game_records(log.entries)] == [[], []]


def test_standing_up_withdraws_the_own_readiness_only() -> None:
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


@pytest.mark.parametrize(
    "message",
    ["", "{}", "[]", '{"type":"dance"}', '{"type":"sit"}', '{"type":"sit","seat":"x"}',
     '{"type":"sit","seat":-1}', '{"type":"act","seq":1}', b"\xff", "[" * 100_000],
)  # fmt: skip
def test_invalid_messages_are_refused_with_one_sentence(message: str | bytes) -> None:
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
def test_the_sent_table_lists_the_sides(
    variant: str, sides: list[list[int]], partners: bool
) -> None:
    shown = json.loads(encode_state(Log(config(variant)).table, "t", ANN.id))["table"]
    assert (shown["sides"], shown["partners"]) == (sides, partners)


def test_the_decision_to_pass_cards_names_the_receiver() -> None:
    log = Log(config(options={"hands": 5}))
    log.do(ANN, say.Start())
    receivers = []
    for _ in range(200):
        log.play_bots()
        state = log.table.game
        assert state is not None
        shown = json.loads(encode_state(log.table, "t", ANN.id))
        if not log.table.is_playing or state.deals > 4:
            break
        if shown["decision"]["kind"] == "give":
            receivers.append(shown["decision"]["to"])
        else:
            assert shown["decision"]["to"] is None
        log.act_randomly(ANN)
    assert set(receivers) == {2}
