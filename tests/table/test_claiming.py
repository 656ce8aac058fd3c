"""Claims: granted only where they are sure, by consent of persons, recorded as plays."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, product

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Bids, Play
from acesaround.bots import fallback_action
from acesaround.cards import ONE_OF_KIND, Card, kinds, pack, parse_cards, unpack
from acesaround.game.events import TrickWon
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Dealing, Decision, GameState, Playing
from acesaround.game.view import Claimed, View, view_for
from acesaround.record import verify
from acesaround.rules import Phase
from acesaround.rules.melds import cards_on_table
from acesaround.rules.tricks import legal_cards
from acesaround.table import automatic_actor, automatic_entry, encode_state, entries, fold
from acesaround.table import commands as say
from acesaround.table.claiming import MIN_CLAIM_TRICKS, can_claim, claim_plays, winning_lead_order
from acesaround.table.games import records
from tests.scripted_games import contract, deal
from tests.table.test_table import ANN, BOB, Log, choice, config


def leads(variant: str, seed: int, deals: int) -> Iterator[GameState]:
    """States of random games at which somebody leads to a trick under the strict law."""
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


def consistent(state: GameState, hands: Sequence[Sequence[Card]]) -> bool:
    """Whether all that was played and melded in this deal could have been, from those hands now."""
    rules, trump = state.rules, state.deal.trump
    assert trump is not None
    held = [Counter(hand) for hand in hands]
    draws = Phase.STOCK_PLAY in rules.phases
    for trick in () if draws else reversed(state.deal.tricks):
        at = state.players.index(trick.leader)
        seats = (*state.players[at:], *state.players[:at])
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
    shown = (
        []
        if draws
        else [(one.seat, cards_on_table(one.melds)) for one in view_for(state, None).melds]
    )
    return all(Counter(cards) <= held[seat] for seat, cards in shown)


def shuffled(state: GameState, seat: int, rng: random.Random) -> GameState:
    """The same for that seat, other hands having changed cards so that it could not tell."""
    others = [other for other in state.players if other != seat]
    hands = [list(unpack(hand)) for hand in state.hands]
    for _ in range(5 if len(others) > 1 else 0):
        one, other = rng.sample(others, 2)
        here, there = rng.randrange(len(hands[one])), rng.randrange(len(hands[other]))
        hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
        if not consistent(state, hands):
            hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
    return replace(state, hands=tuple(pack(hand) for hand in hands))


def won_by(state: GameState, seat: int, order: list[Card], rng: random.Random) -> set[int]:
    """Who wins the tricks when that seat leads in that order and the others play anything."""
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
@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_sure_claim_takes_every_trick_whoever_holds_what(variant: str, deals: int) -> None:
    """Against other deals of the unseen cards and any legal play of the others."""
    rng, claims, longest = random.Random(7), 0, 0
    for state in leads(variant, seed=3, deals=deals):
        assert isinstance(state.phase, Playing)
        seat = state.phase.turn
        order = winning_lead_order(view_for(state, seat), game.decision(state))
        if order is None:
            continue
        if len(order) == 1 and claims > 20:
            continue  # there are many of those
        claims, longest = claims + 1, max(longest, len(order))
        assert sorted(order) == list(unpack(state.hands[seat]))
        for _ in range(4):
            assert won_by(shuffled(state, seat, rng), seat, list(order), rng) == {seat}
    assert claims > 0
    assert longest > 1 or state.rules.deal.stock  # hardly ever where a stock is left over


def dealt(left: Mapping[Card, int], sizes: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to deal so many cards of these to hands of those sizes; the rest lies hidden."""

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

    yield from deal(sorted(left.items()), tuple(() for _ in sizes))


def wins(state: GameState, seat: int, order: tuple[Card, ...]) -> bool:
    """Whether that order of leads takes every trick, whatever the others legally do."""
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
        if not wins(after, seat, order):
            return False
    return True


def layouts(state: GameState, seat: int) -> list[GameState]:
    """Every state that looks the same to that seat and could have come to be."""
    others = [other for other in state.players if other != seat]
    unseen = Counter(state.rules.deck.cards)
    unseen.subtract(state.hand(seat))
    for trick in state.deal.tricks:
        unseen.subtract(trick.cards)
    if state.deal.declarer == seat:
        unseen.subtract(state.deal.buried)
    found = []
    for dealing in dealt(+unseen, [len(state.hand(other)) for other in others]):
        hands: list[Sequence[Card]] = [() for _ in state.hands]
        hands[seat] = state.hand(seat)
        for other, hand in zip(others, dealing, strict=True):
            hands[other] = hand
        if consistent(state, hands):
            found.append(replace(state, hands=tuple(pack(hand) for hand in hands)))
    return found


@pytest.mark.parametrize(
    ("variant", "cards", "endings"),
    [("partnership", 2, 60), ("three-handed", 3, 40), ("double-deck", 2, 30)],
)
def test_what_is_offered_is_sure_in_every_layout_and_little_that_is_sure_is_not_offered(
    variant: str, cards: int, endings: int
) -> None:
    """All layouts of small endings that this seat cannot tell apart, all legal plays in each."""
    certain = offered = 0
    for state in leads(variant, seed=11, deals=endings):
        assert isinstance(state.phase, Playing)
        seat = state.phase.turn
        if len(state.hand(seat)) != cards:
            continue
        order = winning_lead_order(view_for(state, seat), game.decision(state))
        if order is not None:
            offered += 1
            assert all(wins(other, seat, order) for other in layouts(state, seat))
            certain += 1
            continue
        orders = {o for o in permutations(state.hand(seat)) if wins(state, seat, o)}
        for other in layouts(state, seat) if orders else ():
            orders = {o for o in orders if wins(other, seat, o)}
            if not orders:
                break
        certain += bool(orders)
    assert offered > 3
    assert offered >= 0.9 * certain, "a player would see more"


def position(own: str, played: str = "") -> GameState:
    """Partnership with trump hearts, seat 0 to lead; what is not named is spread over the rest."""
    rules = variants.VARIANTS["partnership"]
    state = next(leads("partnership", 1, 5))
    hand = list(parse_cards(own.split()))
    gone = list(parse_cards(played.split()))
    left = list(rules.deck.cards)
    for card in hand + gone:
        left.remove(card)
    size = len(hand)
    others = [left[i * size : (i + 1) * size] for i in range(3)]
    hands = tuple(pack(cards) for cards in (hand, *others))
    assert isinstance(state.phase, Playing)
    deal = replace(state.deal, trump=parse_cards(["AH"])[0].suit, tricks=())
    return replace(
        state, hands=hands, deal=deal, phase=replace(state.phase, leader=0, turn=0, cards=())
    )


@pytest.mark.parametrize(
    ("own", "possible"),
    [
        ("AH AH TH TH KH KH QH QH JH JH 9H 9H", True),  # every trump there is
        ("AH AH TH TH KH KH QH QH JH JH 9H AS", True),  # the first lead pulls the last trump
        ("AH AH TH TH KH KH QH QH JH JH 9H TS", False),  # an ace of spades beats the last lead
        ("AS AS", False),  # a trump may be out
        ("AH TH KH", False),  # the other ace of trump beats the ten
        ("AH AH", True),
        ("AH AH TH TH KH KH AS", True),  # six leads of trump pull the six that are out
        ("AH AH TH TH KH AS", False),  # five do not pull seven
        ("AH AH TH TH KH 9H 9H", True),  # five leads pull the five that could beat a nine
        ("AH AH TH TH KH 9H", False),
    ],
)
def test_what_is_sure(own: str, possible: bool) -> None:
    state = position(own)
    order = winning_lead_order(view_for(state, 0), game.decision(state))
    assert (order is not None) is possible


@pytest.mark.parametrize(
    ("own", "other", "possible"),
    [
        ("AH AH 9S", "9S 9D 9C", True),  # both aces of trump are gone, and this seat knows it
        ("9S 9D 9C", "AH AH 9S", False),  # they are gone as well, but this seat does not know it
    ],
)
def test_cards_of_ones_own_discard_can_beat_nothing(own: str, other: str, possible: bool) -> None:
    """Two-player five-card, trump hearts: the declarer goes on with T T K K Q of it."""
    rules = variants.FIVE_CARD.with_options(players=2)
    hands = {1: f"{own} TH TH", 0: f"{other} JC JC"}
    at = contract(rules, deal(rules, hands, stock="KH KH QH"), 1, 5)
    at.do("trump H", f"1: discard {own}", f"0: discard {other}")
    assert [str(card) for card in at.state.hand(1)] == ["TH", "TH", "KH", "KH", "QH"]
    order = winning_lead_order(view_for(at.state, 1), game.decision(at.state))
    assert (order is not None) is possible


def test_cards_passed_to_the_partner_can_still_beat_ones_own() -> None:
    """Partnership, trump hearts: the declarer gives both aces of it away."""
    rules = variants.PARTNERSHIP
    declarer = "AH AH TH TH KH KH QH QH JH JH 9H 9H"
    at = contract(rules, deal(rules, {1: declarer, 3: "9S 9S 9D 9D"}), 1, 250)
    at.do("trump H", "3: give 9S 9S 9D 9D", "1: give AH AH 9S 9S")
    seen = view_for(at.state, 1)
    assert (
        winning_lead_order(replace(seen, hand=parse_cards("TH TH")), game.decision(at.state))
        is None
    )
    every = parse_cards("AH AH TH TH")
    assert winning_lead_order(replace(seen, hand=every), game.decision(at.state)) is None, (
        "AH is not held"
    )


def test_only_who_leads_to_a_trick_may_claim() -> None:
    """Aces and tens of trump are sure wherever they lie; seat 0 is to lead, seat 1 to follow."""
    log = claimed("partnership", people=1)
    ace, suit = pack(parse_cards("AH AH TH")), parse_cards("AH")[0].suit
    state = position("AH")
    state = replace(state, hands=(ace, ace, *state.hands[2:]))
    table = replace(log.table, game=replace(state, deal=replace(state.deal, trump=suit)))
    assert [can_claim(table, seat) for seat in range(4)] == [True, False, False, False]
    assert not can_claim(replace(table, is_paused=True), 0)
    assert table.game is not None
    led, _ = game.apply(table.game, Play(Card("AH")))
    assert not any(can_claim(replace(table, game=led), seat) for seat in range(4))


@pytest.mark.parametrize(("own", "offered"), [("AH AH TH", True), ("AH AH", False), ("AH", False)])
def test_the_last_two_tricks_are_played_sooner_than_claimed(own: str, offered: bool) -> None:
    log = claimed("partnership", people=1)
    state = position(own)
    table = replace(log.table, game=state)
    assert winning_lead_order(view_for(state, 0), game.decision(state)) is not None
    assert can_claim(table, 0) is offered


def to_a_claim(log: Log, most: int = 400) -> bool:
    """Play at random until the person in seat 0 may claim more than the last trick."""
    for _ in range(most):
        log.bots()
        if can_claim(log.table, 0):
            assert log.table.game is not None
            if len(log.table.game.hand(0)) >= MIN_CLAIM_TRICKS:
                return True
        if not log.table.is_playing:
            return False
        assert log.table.game is not None
        seat = game.decision(log.table.game).seat
        assert seat is not None
        person = log.table.seats[seat].person
        assert person is not None
        log.do(person, say.Act(log.table.seq, choice(log.table, log.rng)))
    return False


def asked_of(log: Log) -> tuple[int, ...] | None:
    wish = log.table.proposal
    return None if wish is None else wish.waiting


def claimed(variant: str, *, people: int) -> Log:
    """A table at which seat 0 may claim."""
    for seed in range(200):
        log = Log(config(variant, options={}), seed)
        if people > 1:
            log.do(BOB, say.Sit(1))
        log.do(ANN, say.Start())
        if to_a_claim(log):
            return log
    raise AssertionError("no table came to a claim")


def test_against_bots_a_claim_is_played_out_at_once_and_recorded_as_plays() -> None:
    log = claimed("partnership", people=1)
    before = log.table
    assert before.game is not None
    points = before.game.deals
    log.do(ANN, say.Claim())
    assert log.table.game is not None
    assert log.table.game.deals == points + 1 or not log.table.is_playing
    assert log.table.claiming_seat is None  # the deal is over
    assert asked_of(log) is None
    assert log.table.undoable is None
    wanted = log.entries.index(entries.Proposed(0, "claim", of=()))
    plays = log.entries[wanted + 1 :]
    assert plays
    assert all(isinstance(play, entries.Acted) and play.bot for play in plays)
    assert fold([entries.decode(entries.encode(entry)) for entry in log.entries]) == log.table
    (record,) = records(log.entries)
    assert verify(record) == []


def test_other_persons_are_asked_and_may_refuse() -> None:
    log = claimed("partnership", people=2)
    before = log.table.game
    log.do(ANN, say.Claim())
    assert asked_of(log) == (1,)
    assert log.table.game == before
    assert log.refusal(ANN, say.Answer(True)) == "rule"  # not for the one who asks to grant
    log.do(BOB, say.Answer(False))
    assert asked_of(log) is None
    assert log.table.game == before
    log.do(ANN, say.Claim())
    log.do(ANN, say.Answer(False))  # withdrawn
    assert asked_of(log) is None
    log.do(ANN, say.Claim())
    log.do(BOB, say.Answer(True))
    assert log.table.game is not None
    assert before is not None
    assert log.table.game.deals == before.deals + 1 or not log.table.is_playing
    (record,) = records(log.entries)
    assert verify(record) == []


def test_a_claim_that_others_refused_is_not_forgotten_in_this_deal() -> None:
    """It was sure, so it tells the others of that hand: bots and pages have it in their view."""
    log = claimed("partnership", people=2)
    assert log.table.game is not None
    after = len(log.table.game.deal.tricks)
    for _ in range(2):  # to ask again says nothing new
        log.do(ANN, say.Claim())
        log.do(BOB, say.Answer(False))
        assert log.table.view(2).claims == (Claimed(0, after),)
    for person in (ANN.id, BOB.id, None):
        sent = json.loads(encode_state(log.table, "t", person))
        assert sent["view"]["claims"] == [{"seat": 0, "after": after}]
    log.do(ANN, say.Claim())
    log.do(BOB, say.Answer(True))
    if log.table.is_playing:
        assert log.table.view(2).claims == ()  # of another deal


def test_a_bot_is_handed_the_claims_of_its_table() -> None:
    log = claimed("partnership", people=2)
    log.do(ANN, say.Claim())
    log.do(BOB, say.Answer(False))
    person = {0: ANN, 1: BOB}
    while log.table.game is not None and automatic_actor(log.table) is None:
        turn = game.decision(log.table.game).seat
        assert turn is not None
        log.do(person[turn], say.Act(log.table.seq, choice(log.table, log.rng)))
    hears = Hears()
    automatic_entry(log.table, log.rng, player=hears)
    assert hears.view is not None
    assert [claim.seat for claim in hears.view.claims] == [0]


class Hears:
    """A bot that keeps the view it was handed."""

    name = "hears"
    view: View | None = None

    def choose(self, view: View, decision: Decision) -> Action:
        self.view = view
        return fallback_action(view, decision)


def test_a_claim_that_is_not_sure_is_refused_in_the_same_words_whatever_others_hold() -> None:
    log = Log(config())
    assert log.refusal(ANN, say.Claim()) == "rule"  # no game
    log.do(ANN, say.Start())
    log.bots()
    assert not can_claim(log.table, 0)
    assert log.refusal(ANN, say.Claim()) == "rule"
    assert not can_claim(log.table, None)


def test_the_plays_of_a_claim_are_those_of_its_order() -> None:
    state = position("AH AH TH TH KH KH QH QH JH JH 9H 9H")
    plays = claim_plays(state, 0)
    assert len(plays) == 48
    assert [str(action.card) for seat, action in plays if seat == 0 and isinstance(action, Play)][
        :3
    ] == ["AH", "AH", "TH"]
