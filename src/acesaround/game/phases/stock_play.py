"""The first half of two-handed: tricks with free choice, a draw after each, melds between them.

Source: `variants/two-handed/notes.md`. When the stock is empty, the strict rules of `play` begin:
at once, or after a last chance of the leader to meld (`melds.meld_after_stock`). Where melds are
laid before the draw (`melds.meld_before_draw`), a leader who lays none passes.
"""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import PASS, Action, ActionList, LayMeld, Play
from acesaround.cards import (
    ONE_OF_KIND,
    Card,
    Rank,
    Suit,
    card_of,
    count,
    kinds,
    pack,
    remove_cards,
    unpack,
)
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import (
    Drew,
    Event,
    MeldLaid,
    NineTurned,
    Played,
    TrickWon,
    UpcardDrawn,
    UpcardExchanged,
)
from acesaround.game.phases import play
from acesaround.game.phases.play import play_actions, take_trick
from acesaround.game.state import (
    DealState,
    Decision,
    DecisionKind,
    GameState,
    MeldedCard,
    MeldRecord,
    StockPlaying,
    Trick,
    UpcardTaken,
    next_player,
    players_clockwise,
    with_drawn,
    with_hand,
)
from acesaround.rules.laid_melds import NO_LAID_MELDS, LaidMelds, lay_meld, layable_melds
from acesaround.rules.melds import MeldKind, single_meld
from acesaround.rules.scoring import card_points
from acesaround.rules.tricks import beats

KIND: Final = DecisionKind.PLAY


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Let the seat left of the dealer lead; it cannot lay a meld yet."""
    leader = next_player(state.players, state.dealer)
    laid_melds = (NO_LAID_MELDS,) * state.rules.seats
    deal, events = _score_upcard_nine(state)
    phase = _new_trick(leader, may_meld=False, laid_melds=laid_melds, is_upcard_settled=False)
    return replace(state, deal=deal, phase=phase), events


def _score_upcard_nine(state: GameState) -> tuple[DealState, tuple[Event, ...]]:
    """Return the deal with the dealer's points for a nine turned up, and the event."""
    deal, dealer, points = state.deal, state.dealer, state.rules.melds.nine_turned_up
    if not points or deal.upcard is None or deal.upcard.rank is not Rank.NINE:
        return deal, ()
    meld = single_meld(MeldKind.DIX, (deal.upcard,), points)
    meld_record = MeldRecord(dealer, (meld,), points, (meld,))
    return replace(deal, laid=(meld_record,)), (NineTurned(dealer, meld),)


def _new_trick(
    leader: int, *, may_meld: bool, laid_melds: tuple[LaidMelds, ...], is_upcard_settled: bool
) -> StockPlaying:
    return StockPlaying(leader, leader, (), -1, -1, may_meld, laid_melds, is_upcard_settled)


def turn_of(state: GameState) -> int:
    """Return the seat that is to play a card or to lay a meld."""
    return cast(StockPlaying, state.phase).turn


def begin_strict_play(state: GameState) -> GameState:
    """Return the state with the strict play begun; the stock is empty and no meld follows."""
    return play.begin(replace(state, phase=None))[0]


def decision(state: GameState) -> Decision:
    """Return the decision on turn: any card; the last trick's winner may lay a meld first."""
    phase = cast(StockPlaying, state.phase)
    seat = phase.turn
    legal = play_actions(kinds(state.hands[seat]))
    if phase.to_draw:
        legal = ActionList((PASS,))
    elif state.deal.upcard is None:
        legal = cast(ActionList, play.decision(begin_strict_play(state)).legal)
    if phase.may_meld:
        table, trump = state.rules.melds, cast(Suit, state.deal.trump)
        melds = layable_melds(table, state.hands[seat], phase.laid_melds[seat], trump)
        legal = ActionList((*legal, *[LayMeld(meld.cards) for meld in melds])) if melds else legal
    return Decision(seat, KIND, legal)


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Apply a card to the trick, a meld, or a pass on melding. Raises IllegalAction."""
    phase = cast(StockPlaying, state.phase)
    if isinstance(action, LayMeld):
        return _apply_meld(state, action)
    if phase.to_draw:
        if action != PASS:
            raise IllegalAction(Reason.WRONG_KIND, expected="a meld is to be laid, or none: pass")
        return _after_draw(state, phase, may_meld=False)
    if state.deal.upcard is None:
        return play.apply(begin_strict_play(state), action)
    if not isinstance(action, Play):
        raise IllegalAction(Reason.WRONG_KIND, expected="a card is to be played")
    card, seat = action.card, phase.turn
    trump = cast(Suit, state.deal.trump)
    hand = remove_cards(state.hands[seat], (card,))
    hands = with_hand(state.hands, seat, hand)
    laid_melds = phase.laid_melds
    if on_table := count(laid_melds[seat].cards, card):
        remaining = laid_melds[seat].after_playing(card, hand, trump)
        laid_melds = (*laid_melds[:seat], remaining, *laid_melds[seat + 1 :])
        if count(remaining.cards, card) < on_table:
            state = replace(state, deal=_without_table_card(state.deal, seat, card))
    best, best_seat = phase.best, phase.best_seat
    if not phase.cards or beats(card, best, trump):
        best, best_seat = card, seat
    cards = (*phase.cards, card)
    played = Played(seat, card)
    if len(cards) < len(state.players):
        turn = next_player(state.players, seat)
        phase = StockPlaying(
            phase.leader, turn, cards, best, best_seat, False, laid_melds, phase.is_upcard_settled
        )
        return replace(state, hands=hands, phase=phase), (played,)
    trick = Trick(phase.leader, cards, best_seat, card_points(state.rules, cards))
    trick_won = TrickWon(phase.leader, best_seat, cards, trick.points)
    state = replace(state, hands=hands, deal=take_trick(state, trick))
    meld_rules, is_last_draw = state.rules.melds, len(state.deal.stock) < len(state.players)
    phase = _new_trick(
        best_seat, may_meld=True, laid_melds=laid_melds, is_upcard_settled=phase.is_upcard_settled
    )
    if meld_rules.meld_before_draw and (meld_rules.meld_after_stock or not is_last_draw):
        return replace(state, phase=replace(phase, to_draw=True)), (played, trick_won)
    state, drawn = _after_draw(state, phase, may_meld=not meld_rules.meld_before_draw)
    return state, (played, trick_won, *drawn)


def _after_draw(
    state: GameState, phase: StockPlaying, *, may_meld: bool
) -> tuple[GameState, tuple[Event, ...]]:
    """Return the state after all have drawn; the leader then melds or leads.

    If no card is left to draw and no meld follows, the phase is complete and the strict play
    begins.
    """
    deal, hands, drawn = _draw_cards(state.deal, state.hands, state.players, phase.leader)
    next_phase, is_stock_empty = None, deal.upcard is None
    if not is_stock_empty or (may_meld and state.rules.melds.meld_after_stock):
        no_exchange = phase.is_upcard_settled or is_stock_empty
        next_phase = _new_trick(
            phase.leader,
            may_meld=may_meld,
            laid_melds=phase.laid_melds,
            is_upcard_settled=no_exchange,
        )
    return replace(state, hands=hands, deal=deal, phase=next_phase), tuple(drawn)


def _without_table_card(deal: DealState, seat: int, card: Card) -> DealState:
    """Return the deal with a melded card lifted from the table; of twins the one laid first."""
    rows = list(deal.melded_cards)
    index = next(
        index
        for index, row in enumerate(rows)
        if row.seat == seat and row.card == card and row.until is None
    )
    rows[index] = replace(rows[index], until=len(deal.tricks))
    return replace(deal, melded_cards=tuple(rows))


def _draw_cards(
    deal: DealState, hands: tuple[int, ...], players: tuple[int, ...], winner: int
) -> tuple[DealState, tuple[int, ...], list[Event]]:
    """Let each seat draw, clockwise from the winner; the last card drawn is the upcard."""
    stock, upcard, drawn, taken = deal.stock, deal.upcard, deal.drawn, deal.upcards_taken
    events: list[Event] = []
    for seat in players_clockwise(players, winner):
        if stock:
            card, stock = stock[0], stock[1:]
            drawn = with_drawn(drawn, seat, (card,))
            events.append(Drew(seat, 1, (card,)))
        else:
            assert upcard is not None  # the cards left over are divisible by the number of players
            card, upcard = upcard, None
            taken = (*taken, UpcardTaken(seat, card, None, len(deal.tricks)))
            events.append(UpcardDrawn(seat, card))
        hands = with_hand(hands, seat, hands[seat] + ONE_OF_KIND[card])
    return (
        replace(deal, stock=stock, upcard=upcard, drawn=drawn, upcards_taken=taken),
        hands,
        events,
    )


def _apply_meld(state: GameState, action: LayMeld) -> tuple[GameState, tuple[Event, ...]]:
    """Lay one meld and score it; the first nine of trump is exchanged for the upcard.

    After a nine another meld may follow in the same turn, if the rules say so. When the stock is
    empty, the strict play begins after the last meld.
    """
    phase = cast(StockPlaying, state.phase)
    if not phase.may_meld:
        raise IllegalAction(Reason.NO_MELD_NOW)
    seat, trump = phase.turn, cast(Suit, state.deal.trump)
    meld, laid_after = lay_meld(
        state.rules.melds, state.hands[seat], phase.laid_melds[seat], action.cards, trump
    )
    events: list[Event] = [MeldLaid(seat, meld)]
    deal, completed_tricks = state.deal, len(state.deal.tricks)
    meld_record = MeldRecord(seat, (meld,), meld.points, (meld,), after=completed_tricks)
    deal = replace(deal, laid=(*deal.laid, meld_record))
    hands, is_upcard_settled = state.hands, phase.is_upcard_settled
    nine = card_of(trump, Rank.NINE)
    if meld.cards == (nine,) and not is_upcard_settled:
        taken = state.deal.upcard
        assert taken is not None
        is_upcard_settled = True
        hand = hands[seat] - ONE_OF_KIND[nine] + ONE_OF_KIND[taken]
        given_nine = pack(meld.cards)
        laid_after = replace(
            laid_after,
            cards=laid_after.cards - given_nine,
            used_in_class_a=laid_after.used_in_class_a - given_nine,
        )
        hands = with_hand(hands, seat, hand)
        deal = replace(
            deal, upcard=nine, upcards_taken=(UpcardTaken(seat, taken, nine, completed_tricks),)
        )
        events.append(UpcardExchanged(seat, taken, nine))
    else:
        newly_laid = unpack(laid_after.cards - phase.laid_melds[seat].cards)
        table_melds = [MeldedCard(seat, card, completed_tricks) for card in newly_laid]
        deal = replace(deal, melded_cards=(*deal.melded_cards, *table_melds))
    laid_melds = (*phase.laid_melds[:seat], laid_after, *phase.laid_melds[seat + 1 :])
    may_meld_again = meld.cards == (nine,) and state.rules.melds.nine_beside
    phase = replace(
        phase, may_meld=may_meld_again, laid_melds=laid_melds, is_upcard_settled=is_upcard_settled
    )
    state = replace(state, hands=hands, deal=deal, phase=phase)
    if may_meld_again:
        return state, tuple(events)
    if phase.to_draw:
        state, drawn = _after_draw(state, phase, may_meld=False)
        return state, (*events, *drawn)
    return (replace(state, phase=None) if deal.upcard is None else state), tuple(events)
