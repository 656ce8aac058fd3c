"""A table: seats, play against bots, consent, refusals, hidden information and records."""

from __future__ import annotations

import json

import pytest

from acesaround import game, variants
from acesaround.cards import CARDS
from acesaround.game.events import BidMade, Buried, Passed
from acesaround.game.state import DecisionKind
from acesaround.game.view import Undone, view_for
from acesaround.record import verify
from acesaround.table import (
    Person,
    TablePresence,
    automatic_actor,
    automatic_entry,
    commands,
    decode_command,
    encode_state,
    entries,
    fold,
)
from acesaround.table.games import game_records
from tests.table.table_log import ANN, BOB, CLEO, TableLog, choose_random_action, table_config


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_log_of_a_game_against_bots_folds_to_its_table_and_record(variant: str) -> None:
    log = TableLog(table_config(variant, options={"hands": 2}))
    log.send(ANN, commands.Start())
    log.play_deals(ANN, deals=2)
    assert fold(log.entries) == log.table
    stored = [entries.decode(entries.encode(entry)) for entry in log.entries]
    assert fold(stored) == log.table
    (record,) = game_records(log.entries)
    assert verify(record) == []
    assert len(record.deals) >= 2


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_state_sent_to_a_person_has_no_hidden_card(variant: str) -> None:
    log = TableLog(table_config(variant))
    log.send(ANN, commands.Start())
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
    log = TableLog(table_config("double-deck"))
    log.send(ANN, commands.Start())
    log.play_bots()
    seen = json.loads(encode_state(log.table, "t", None))
    assert seen["view"]["hand"] == []
    assert seen["decision"] is None
    assert seen["table"]["you"] is None


def test_the_state_sent_to_a_person_has_no_person_ids() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Start())
    text = encode_state(
        log.table, "t", BOB.id, presence=TablePresence(frozenset([ANN.id]))
    ).decode()
    assert ANN.id not in text
    assert BOB.id not in text
    assert [seat["present"] for seat in json.loads(text)["table"]["seats"]] == [True] + [False] * 3


def test_seq_counts_the_entries_of_the_log() -> None:
    log = TableLog(table_config())
    for count in (2, 3):
        assert (log.table.seq, len(log.entries)) == (count, count)
        log.send(BOB, commands.Sit(count))
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.seq == len(log.entries)


def test_bot_failed_is_set_until_the_seat_has_another_bot() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.add(automatic_entry(log.table, log.rng))
    assert log.table.game is not None
    seat = game.decision(log.table.game).seat
    assert seat is not None
    log.add(entries.Acted(seat, ["pass"], bot=True, failed=True))
    assert [row.bot_failed for row in log.table.seats] == [n == seat for n in range(4)]
    log.send(ANN, commands.SetBot(seat, "thumb"))
    assert not any(row.bot_failed for row in log.table.seats)


def test_a_person_holds_one_seat_and_may_stand_up() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    assert log.send_refused(CLEO, commands.Sit(1)) == "seat"
    log.send(BOB, commands.Sit(3))
    assert log.table.seat_of(BOB.id) == 3
    assert log.table.seats[1].person is None
    log.send(BOB, commands.Stand())
    assert log.table.seat_of(BOB.id) is None
    assert log.send_refused(BOB, commands.Stand()) == "seat"
    assert log.send_refused(BOB, commands.Sit(8)) == "seat"


def test_commands_of_the_host_are_refused_to_others() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    for command in (commands.Start(), commands.Remove(0), commands.SetBot(2, "random")):
        assert log.send_refused(BOB, command) == "host"
    assert log.send_refused(ANN, commands.SetBot(2, "nobody")) == "malformed"
    log.send(ANN, commands.Remove(1))
    assert log.table.seat_of(BOB.id) is None


def test_a_person_gets_the_own_hand_back_after_standing_up_in_a_deal() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(BOB, commands.Stand())
    log.play_bots()
    log.send(BOB, commands.Sit(1))
    assert log.table.seat_of(BOB.id) == 1
    assert json.loads(encode_state(log.table, "t", BOB.id))["view"]["hand"]


def test_stale_illegal_and_out_of_turn_actions_are_refused() -> None:
    log = TableLog(table_config(), seed=3)
    for seat, person in ((1, BOB), (2, CLEO)):
        log.send(person, commands.Sit(seat))
    assert log.send_refused(ANN, commands.Act(log.table.seq, ["pass"])) == "rule"
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.game is not None
    turn = game.decision(log.table.game).seat
    people = {0: ANN, 1: BOB, 2: CLEO}
    assert turn in people
    other = people[(turn + 1) % 3]
    assert (
        log.send_refused(people[turn], commands.Act(log.table.moved_seq - 1, ["pass"])) == "stale"
    )
    assert log.send_refused(other, commands.Act(log.table.seq, ["pass"])) == "turn"
    assert log.send_refused(people[turn], commands.Act(log.table.seq, ["bid", 10])) == "rule"
    assert (
        log.send_refused(people[turn], commands.Act(log.table.seq, ["bid", "ten"])) == "malformed"
    )
    assert log.send_refused(people[turn], commands.Act(log.table.seq, [])) == "malformed"


def test_chat_and_seating_do_not_make_an_action_stale() -> None:
    log, first, second = start_table_of_two(2)
    seq = log.table.seq
    log.send(second, commands.SendChat("hello"))
    log.send(CLEO, commands.RequestSeat(3))
    log.presence = TablePresence(frozenset([CLEO.id]))
    log.send(ANN, commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=True))
    assert log.table.seat_of(CLEO.id) == 3
    log.send(first, commands.Act(seq, choose_random_action(log.table, log.rng)))
    assert log.send_refused(first, commands.Act(seq, ["pass"])) == "stale"


def test_at_a_paused_table_nobody_acts() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.send(ANN, commands.Pause())
    assert automatic_actor(log.table) is None
    assert log.send_refused(ANN, commands.Pause()) == "rule"
    assert log.send_refused(ANN, commands.Act(log.table.seq, ["pass"])) == "paused"
    log.send(ANN, commands.Resume())
    assert automatic_actor(log.table) == "deal"


def test_a_seat_may_pause_three_times_in_a_deal() -> None:
    """Otherwise one player could stop the game by pausing whenever somebody resumes."""
    log, first, second = start_table_of_two(3)
    for _ in range(3):
        log.send(first, commands.Pause())
        log.send(second, commands.Resume())
    assert log.send_refused(first, commands.Pause()) == "rule"
    log.send(second, commands.Pause())  # the limit is per seat
    log.send(second, commands.Resume())
    log.send(second, commands.Stand())
    log.send(first, commands.Pause())  # nobody else waits


def test_a_new_deal_allows_pauses_again() -> None:
    log, first, _ = start_table_of_two(3)
    for _ in range(3):
        log.send(first, commands.Pause())
        log.send(first, commands.Resume())
    people = {log.table.seat_of(person.id): person for person in (ANN, BOB)}
    deal = log.table.deal_seq
    while log.table.deal_seq == deal:
        log.play_bots()
        if log.table.deal_seq == deal:
            log.act_randomly(people[log.table.view(0).turn])
    log.send(first, commands.Pause())


def start_table_of_two(seed: int) -> tuple[TableLog, Person, Person]:
    """Return a table, the person on turn to bid, and the other one."""
    log = TableLog(table_config(), seed)
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.game is not None
    turn = game.decision(log.table.game).seat
    return (log, ANN, BOB) if turn == 0 else (log, BOB, ANN)


def test_an_action_is_undone_with_the_consent_of_all() -> None:
    log, first, second = start_table_of_two(2)
    before = log.table.game
    log.act_randomly(first)
    log.send(first, commands.Undo())
    assert log.table.game != before
    assert automatic_actor(log.table) is None
    assert log.send_refused(first, commands.AnswerProposal(True)) == "rule"
    log.send(second, commands.AnswerProposal(True))
    assert log.table.game == before
    (record,) = game_records(log.entries)
    assert before is not None
    assert len(record.deals[0].actions) == len(before.deal.auction)


def test_undone_events_stay_in_all_views_of_the_deal() -> None:
    log, first, second = start_table_of_two(2)
    log.send(first, commands.Act(log.table.seq, ["bid", 270]))
    log.play_bots()
    log.send(first, commands.Undo())
    log.send(second, commands.AnswerProposal(True))
    seat = log.table.seat_of(first.id)
    assert seat is not None
    for other in (None, *range(4)):
        (undone,) = log.table.view(other).undone
        assert undone.after == 0
        assert undone.events[0] == BidMade(seat, 270)
        assert all(isinstance(event, BidMade | Passed) for event in undone.events)


def test_cards_of_an_undone_bury_stay_hidden_from_others() -> None:
    for seed in range(60):
        log = TableLog(table_config("three-handed", options={}), seed)
        log.send(ANN, commands.Start())
        log.play_bots()
        while log.table.game is not None and log.table.game.deals == 0:
            decision = game.decision(log.table.game)
            log.act_randomly(ANN)
            if decision.kind is DecisionKind.BURY:
                buried = log.table.game.deal.buried
                log.send(ANN, commands.Undo())
                for other, cards in ((0, buried), (1, None), (None, None)):
                    assert log.table.view(other).undone == (Undone(0, (Buried(0, 3, cards),)),)
                return
            log.play_bots()
    raise AssertionError("Ann was never declarer")


def test_one_denial_rejects_an_undo() -> None:
    log, first, second = start_table_of_two(2)
    log.act_randomly(first)
    after = log.table.game
    log.send(first, commands.Undo())
    log.send(second, commands.AnswerProposal(False))
    assert log.table.game == after
    assert log.table.proposal is None


def test_undo_is_refused_after_a_bot_has_played_a_card() -> None:
    log = TableLog(table_config("two-handed"), seed=4)
    log.send(ANN, commands.Start())
    log.play_bots()
    log.act_randomly(ANN)
    log.play_bots()
    assert log.send_refused(ANN, commands.Undo()) == "rule"


def test_undo_is_refused_after_the_kitty_is_shown() -> None:
    log = TableLog(table_config("three-handed", options={"lowest_bid": 250}))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(ANN, commands.Act(log.table.seq, ["bid", 400]))
    while log.table.game is not None and log.table.game.deal.declarer is None:
        assert log.table.undoable is not None
        seat = game.decision(log.table.game).seat
        assert seat is not None
        log.add(entries.Acted(seat, ["pass"], bot=True))
    assert log.table.game is not None
    assert view_for(log.table.game, 0).kitty
    assert log.table.undoable is None
    assert log.send_refused(ANN, commands.Undo()) == "rule"


def test_a_rematch_starts_when_all_are_ready() -> None:
    """In the three-handed game the last winner deals first."""
    log = TableLog(table_config("three-handed", options={"hands": 1}))
    log.send(ANN, commands.Start())
    assert log.send_refused(ANN, commands.Rematch()) == "rule"
    log.play_deals(ANN, deals=50)
    assert log.table.game is not None
    winner = log.table.game.winner
    assert winner is not None
    log.send(ANN, commands.Rematch())
    assert log.table.game_count == 2
    assert log.table.game.dealer == winner
    log.play_deals(ANN, deals=50)
    assert [verify(record) for record in game_records(log.entries)] == [[], []]


def test_standing_up_withdraws_the_own_readiness_only() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.send(ANN, commands.Start())
    log.play_deals(ANN, deals=9)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Rematch())
    log.send(BOB, commands.Rematch())
    assert set(log.table.ready_seats) == {0, 1}
    log.send(BOB, commands.Stand())
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
    shown = json.loads(encode_state(TableLog(table_config(variant)).table, "t", ANN.id))["table"]
    assert (shown["sides"], shown["partners"]) == (sides, partners)


def test_the_decision_to_pass_cards_names_the_receiver() -> None:
    log = TableLog(table_config(options={"hands": 5}))
    log.send(ANN, commands.Start())
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
