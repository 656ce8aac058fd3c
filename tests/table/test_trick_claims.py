"""Claims: allowed only where they are certain, need consent, and are recorded as plays."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, product

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Play
from acesaround.bots import fallback_action
from acesaround.cards import ONE_OF_KIND, Card, kinds, pack, parse_cards, unpack
from acesaround.game.events import TrickWon
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Dealing, Decision, GameState, Playing
from acesaround.game.view import Claimed, View, view_for
from acesaround.legal_bids import Bids
from acesaround.record import verify
from acesaround.rules import Phase
from acesaround.rules.melds import cards_on_table
from acesaround.rules.tricks import legal_cards
from acesaround.table import automatic_actor, automatic_entry, commands, encode_state, entries, fold
from acesaround.table.games import game_records
from acesaround.table.trick_claims import can_claim, claim_plays, winning_lead_order
from tests.scripted_games import contract, deal
from tests.table.table_log import ANN, BOB, TableLog, make_table_with_claim, table_config
from tests.variant_sample import sample_variants


def list_lead_states(variant: str, seed: int, deals: int) -> Iterator[GameState]:
    """Yield the states of random games in which a seat leads to a trick under the strict law."""
    rng = random.Random(seed)
    rules = variants.VARIANTS[variant]
    state = game.start(rules, 0)
    played = 0
    while played < deals:
        if state.phase is None:
            state = game.start(rules, 0)
        played += isinstance(state.phase, Dealing)
        if isinstance(state.phase, Playing) and not state.phase.cards:
            yield state
        legal = game.decision(state).legal
        if isinstance(legal, Deals):
            action: Action = legal.sample(rng)
        else:
            most = 3 if isinstance(legal, Bids) else 99
            action = rng.choice(tuple(islice(legal, most)))
        state, _ = game.apply(state, action)


def is_consistent(state: GameState, hands: Sequence[Sequence[Card]]) -> bool:
    """Return True if all plays and melds of the deal were legal from these present hands."""
    rules, trump = state.rules, state.deal.trump
    assert trump is not None
    held = [Counter(hand) for hand in hands]
    draws = Phase.STOCK_PLAY in rules.phases
    for trick in () if draws else reversed(state.deal.tricks):
        leader = state.players.index(trick.leader)
        seats = (*state.players[leader:], *state.players[:leader])
        for seat, card in zip(seats, trick.cards, strict=True):
            held[seat][card] += 1
        for place, (seat, card) in enumerate(zip(seats, trick.cards, strict=True)):
            legal = legal_cards(
                kinds(pack(held[seat].elements())),
                trick.cards[:place],
                trump,
                rules.play,
            )
            if not legal & ONE_OF_KIND[card]:
                return False
    shown = () if draws else view_for(state, None).melds
    return all(Counter(cards_on_table(laid.melds)) <= held[laid.seat] for laid in shown)


def shuffle_other_hands(state: GameState, seat: int, rng: random.Random) -> GameState:
    """Return a state that the seat cannot tell apart: cards are swapped between other hands."""
    others = [other for other in state.players if other != seat]
    hands = [list(unpack(hand)) for hand in state.hands]
    for _ in range(5 if len(others) > 1 else 0):
        first, second = (hands[other] for other in rng.sample(others, 2))
        i, j = rng.randrange(len(first)), rng.randrange(len(second))
        first[i], second[j] = second[j], first[i]
        if not is_consistent(state, hands):
            first[i], second[j] = second[j], first[i]
    return replace(state, hands=tuple(pack(hand) for hand in hands))


def find_trick_winners(
    state: GameState, seat: int, order: list[Card], rng: random.Random
) -> set[int]:
    """Return the winners of the tricks when the seat leads in order and the others at random."""
    winners, rest = set(), iter(order)
    while isinstance(state.phase, Playing):
        turn = state.phase.turn
        legal = [a for a in game.decision(state).legal if isinstance(a, Play)]
        state, events = game.apply(state, Play(next(rest)) if turn == seat else rng.choice(legal))
        winners |= {event.seat for event in events if isinstance(event, TrickWon)}
        if winners - {seat}:
            break
    return winners


@pytest.mark.parametrize("deals", [60, pytest.param(400, marks=pytest.mark.soak)])
@pytest.mark.parametrize("variant", sample_variants(sorted(variants.VARIANTS)))
def test_a_certain_claim_wins_every_trick_against_any_other_hands(variant: str, deals: int) -> None:
    rng, claims, longest = random.Random(7), 0, 0
    for state in list_lead_states(variant, seed=3, deals=deals):
        assert isinstance(state.phase, Playing)
        seat = state.phase.turn
        order = winning_lead_order(view_for(state, seat), game.decision(state))
        if order is None:
            continue
        if len(order) == 1 and claims > 20:
            continue
        claims, longest = claims + 1, max(longest, len(order))
        assert sorted(order) == list(unpack(state.hands[seat]))
        for _ in range(4):
            assert find_trick_winners(
                shuffle_other_hands(state, seat, rng), seat, list(order), rng
            ) == {seat}
    assert claims > 0
    assert longest > 1 or state.rules.deal.stock  # long claims are rare with a stock


def list_all_deals(
    cards_left: Mapping[Card, int], sizes: Sequence[int]
) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield every way to deal hands of these sizes from the cards left."""

    def deal(
        cards: Sequence[tuple[Card, int]], hands: tuple[tuple[Card, ...], ...]
    ) -> Iterator[tuple[tuple[Card, ...], ...]]:
        if not cards:
            if all(len(hand) == size for hand, size in zip(hands, sizes, strict=True)):
                yield hands
            return
        (card, copies), *rest = cards
        for shares in product(range(copies + 1), repeat=len(sizes)):
            if sum(shares) > copies:
                continue
            more = tuple(
                (*hand, *[card] * number) for hand, number in zip(hands, shares, strict=True)
            )
            if all(len(hand) <= size for hand, size in zip(more, sizes, strict=True)):
                yield from deal(rest, more)

    yield from deal(sorted(cards_left.items()), tuple(() for _ in sizes))


def wins_all_tricks(state: GameState, seat: int, order: tuple[Card, ...]) -> bool:
    """Return True if leads in this order win every trick against all legal plays."""
    phase = state.phase
    if not isinstance(phase, Playing):
        return True
    if phase.turn == seat and not order:
        return True
    if phase.turn == seat:
        actions: list[Action] = [Play(order[0])]
        if actions[0] not in game.decision(state).legal:
            return False
        order = order[1:]
    else:
        actions = [a for a in game.decision(state).legal if isinstance(a, Play)]
    for action in actions:
        after, events = game.apply(state, action)
        if any(isinstance(event, TrickWon) and event.seat != seat for event in events):
            return False
        if not wins_all_tricks(after, seat, order):
            return False
    return True


def list_indistinguishable_states(state: GameState, seat: int) -> list[GameState]:
    """Return every consistent state that looks the same to the seat."""
    others = [other for other in state.players if other != seat]
    unseen = Counter(state.rules.deck.cards)
    unseen.subtract(state.hand(seat))
    for trick in state.deal.tricks:
        unseen.subtract(trick.cards)
    if state.deal.declarer == seat:
        unseen.subtract(state.deal.buried)
    found = []
    for dealing in list_all_deals(+unseen, [len(state.hand(other)) for other in others]):
        hands: list[Sequence[Card]] = [() for _ in state.hands]
        hands[seat] = state.hand(seat)
        for other, hand in zip(others, dealing, strict=True):
            hands[other] = hand
        if is_consistent(state, hands):
            found.append(replace(state, hands=tuple(pack(hand) for hand in hands)))
    return found


@pytest.mark.parametrize(
    ("variant", "cards", "endings"),
    [("partnership", 2, 60), ("three-handed", 3, 40), ("double-deck", 2, 30)],
)
def test_offered_claims_are_certain_and_most_certain_claims_are_offered(
    variant: str, cards: int, endings: int
) -> None:
    """Compare with a search of all states that the seat cannot tell apart and all legal plays."""
    certain = offered = 0
    for state in list_lead_states(variant, seed=11, deals=endings):
        assert isinstance(state.phase, Playing)
        seat = state.phase.turn
        if len(state.hand(seat)) != cards:
            continue
        order = winning_lead_order(view_for(state, seat), game.decision(state))
        if order is not None:
            offered += 1
            assert all(
                wins_all_tricks(other, seat, order)
                for other in list_indistinguishable_states(state, seat)
            )
            certain += 1
            continue
        orders = {o for o in permutations(state.hand(seat)) if wins_all_tricks(state, seat, o)}
        for other in list_indistinguishable_states(state, seat) if orders else ():
            orders = {o for o in orders if wins_all_tricks(other, seat, o)}
            if not orders:
                break
        certain += bool(orders)
    assert offered > 3
    assert offered >= 0.9 * certain, "a player would see more"


def make_position(own: str) -> GameState:
    """Return partnership with trump hearts and seat 0 to lead; other cards go to other hands."""
    rules = variants.VARIANTS["partnership"]
    state = next(list_lead_states("partnership", 1, 5))
    hand = list(parse_cards(own.split()))
    cards_left = list(rules.deck.cards)
    for card in hand:
        cards_left.remove(card)
    size = len(hand)
    others = [cards_left[i * size : (i + 1) * size] for i in range(3)]
    hands = tuple(pack(cards) for cards in (hand, *others))
    assert isinstance(state.phase, Playing)
    deal = replace(state.deal, trump=parse_cards(["AH"])[0].suit, tricks=())
    return replace(
        state, hands=hands, deal=deal, phase=replace(state.phase, leader=0, turn=0, cards=())
    )


@pytest.mark.parametrize(
    ("own", "possible"),
    [
        ("AH AH TH TH KH KH QH QH JH JH 9H 9H", True),  # all trumps
        ("AH AH TH TH KH KH QH QH JH JH 9H AS", True),  # the first lead draws the last trump
        ("AH AH TH TH KH KH QH QH JH JH 9H TS", False),  # an ace of spades beats the last lead
        ("AS AS", False),  # a trump may be out
        ("AH TH KH", False),  # the other ace of trump beats the ten
        ("AH AH", True),
        ("AH AH TH TH KH KH AS", True),  # six trump leads draw the other six trumps
        ("AH AH TH TH KH AS", False),  # five do not draw seven
        ("AH AH TH TH KH 9H 9H", True),  # five leads draw the five that could beat a nine
        ("AH AH TH TH KH 9H", False),
    ],
)
def test_winning_lead_order_exists_only_for_certain_claims(own: str, possible: bool) -> None:
    state = make_position(own)
    order = winning_lead_order(view_for(state, 0), game.decision(state))
    assert (order is not None) is possible


@pytest.mark.parametrize(
    ("own", "other", "possible"),
    [
        ("AH AH 9S", "9S 9D 9C", True),  # the seat knows that both aces of trump are discarded
        ("9S 9D 9C", "AH AH 9S", False),  # they are discarded, but the seat does not know it
    ],
)
def test_own_discards_cannot_beat_a_claim(own: str, other: str, possible: bool) -> None:
    """Five-card for two, trump hearts: the declarer keeps T T K K Q of trump."""
    rules = variants.FIVE_CARD.with_options(players=2)
    hands = {1: f"{own} TH TH", 0: f"{other} JC JC"}
    table = contract(rules, deal(rules, hands, stock="KH KH QH"), 1, 5)
    table.do("trump H", f"1: discard {own}", f"0: discard {other}")
    assert [str(card) for card in table.state.hand(1)] == ["TH", "TH", "KH", "KH", "QH"]
    order = winning_lead_order(view_for(table.state, 1), game.decision(table.state))
    assert (order is not None) is possible


def test_cards_passed_to_the_partner_can_beat_a_claim() -> None:
    """Partnership, trump hearts: the declarer passes both aces of trump."""
    rules = variants.PARTNERSHIP
    declarer = "AH AH TH TH KH KH QH QH JH JH 9H 9H"
    table = contract(rules, deal(rules, {1: declarer, 3: "9S 9S 9D 9D"}), 1, 250)
    table.do("trump H", "3: give 9S 9S 9D 9D", "1: give AH AH 9S 9S")
    seen, decision = view_for(table.state, 1), game.decision(table.state)
    for hand in ("TH TH", "AH AH TH TH"):  # AH is not held
        claimed = replace(seen, hand=parse_cards(hand))
        assert winning_lead_order(claimed, decision) is None


def test_only_the_seat_that_leads_may_claim() -> None:
    log = make_table_with_claim("partnership", people=1)
    ace, suit = pack(parse_cards("AH AH TH")), parse_cards("AH")[0].suit
    state = make_position("AH")
    state = replace(state, hands=(ace, ace, *state.hands[2:]))
    table = replace(log.table, game=replace(state, deal=replace(state.deal, trump=suit)))
    assert [can_claim(table, seat) for seat in range(4)] == [True, False, False, False]
    assert not can_claim(replace(table, is_paused=True), 0)
    assert table.game is not None
    led, _ = game.apply(table.game, Play(Card("AH")))
    assert not any(can_claim(replace(table, game=led), seat) for seat in range(4))


@pytest.mark.parametrize(("own", "offered"), [("AH AH TH", True), ("AH AH", False), ("AH", False)])
def test_claims_need_at_least_three_tricks(own: str, offered: bool) -> None:
    log = make_table_with_claim("partnership", people=1)
    state = make_position(own)
    table = replace(log.table, game=state)
    assert winning_lead_order(view_for(state, 0), game.decision(state)) is not None
    assert can_claim(table, 0) is offered


def find_waiting_seats(log: TableLog) -> tuple[int, ...] | None:
    proposal = log.table.proposal
    return None if proposal is None else proposal.waiting


def test_a_claim_against_bots_is_played_out_and_recorded_as_plays() -> None:
    log = make_table_with_claim("partnership", people=1)
    before = log.table
    assert before.game is not None
    log.send(ANN, commands.Claim())
    assert log.table.game is not None
    assert log.table.game.deals == before.game.deals + 1 or not log.table.is_playing
    assert log.table.claiming_seat is None  # the deal is over
    assert find_waiting_seats(log) is None
    assert log.table.undoable is None
    plays = log.entries[log.entries.index(entries.Proposed(0, "claim", of=())) + 1 :]
    assert plays
    assert all(isinstance(play, entries.Acted) and play.bot for play in plays)
    assert fold([entries.decode(entries.encode(entry)) for entry in log.entries]) == log.table
    (record,) = game_records(log.entries)
    assert verify(record) == []


def test_a_claim_needs_the_consent_of_other_people() -> None:
    log = make_table_with_claim("partnership", people=2)
    before = log.table.game
    log.send(ANN, commands.Claim())
    assert find_waiting_seats(log) == (1,)
    assert log.table.game == before
    assert log.send_refused(ANN, commands.AnswerProposal(True)) == "rule"
    log.send(BOB, commands.AnswerProposal(False))
    assert find_waiting_seats(log) is None
    assert log.table.game == before
    log.send(ANN, commands.Claim())
    log.send(ANN, commands.AnswerProposal(False))  # withdrawn
    assert find_waiting_seats(log) is None
    log.send(ANN, commands.Claim())
    log.send(BOB, commands.AnswerProposal(True))
    assert log.table.game is not None
    assert before is not None
    assert log.table.game.deals == before.deals + 1 or not log.table.is_playing
    (record,) = game_records(log.entries)
    assert verify(record) == []


def test_a_denied_claim_stays_in_all_views_of_the_deal() -> None:
    """A claim is always certain, so it tells the other seats about the hand."""
    log = make_table_with_claim("partnership", people=2)
    assert log.table.game is not None
    after = len(log.table.game.deal.tricks)
    for _ in range(2):
        log.send(ANN, commands.Claim())
        log.send(BOB, commands.AnswerProposal(False))
        assert log.table.view(2).claims == (Claimed(0, after),)
    for person in (ANN.id, BOB.id, None):
        sent = json.loads(encode_state(log.table, "t", person))
        assert sent["view"]["claims"] == [{"seat": 0, "after": after}]
    log.send(ANN, commands.Claim())
    log.send(BOB, commands.AnswerProposal(True))
    if log.table.is_playing:
        assert log.table.view(2).claims == ()


def test_the_view_of_a_bot_has_the_claims() -> None:
    log = make_table_with_claim("partnership", people=2)
    log.send(ANN, commands.Claim())
    log.send(BOB, commands.AnswerProposal(False))
    people = {0: ANN, 1: BOB}
    while log.table.game is not None and automatic_actor(log.table) is None:
        turn = game.decision(log.table.game).seat
        assert turn is not None
        log.act_randomly(people[turn])
    bot = ViewRecorder()
    automatic_entry(log.table, log.rng, player=bot)
    assert bot.view is not None
    assert [claim.seat for claim in bot.view.claims] == [0]


class ViewRecorder:
    """A bot that stores the view it was given."""

    name = "recorder"
    view: View | None = None

    def choose(self, view: View, decision: Decision) -> Action:
        self.view = view
        return fallback_action(view, decision)


def test_an_uncertain_claim_is_refused() -> None:
    log = TableLog(table_config())
    assert log.send_refused(ANN, commands.Claim()) == "rule"  # no game
    log.send(ANN, commands.Start())
    log.play_bots()
    assert not can_claim(log.table, 0)
    assert log.send_refused(ANN, commands.Claim()) == "rule"
    assert not can_claim(log.table, None)


def test_claim_plays_follow_the_lead_order() -> None:
    state = make_position("AH AH TH TH KH KH QH QH JH JH 9H 9H")
    plays = claim_plays(state, 0)
    assert len(plays) == 48
    leads = [action for seat, action in plays if seat == 0]
    assert leads[:3] == [Play(Card("AH")), Play(Card("AH")), Play(Card("TH"))]
