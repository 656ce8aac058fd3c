"""Questions about a hand, for people and for programs: its melds and its legal plays.

A question is a JSON object, `{"trump": "H", "hand": ["AS", ...]}`; so is the answer. The rules
themselves are in `melds`, `laid_melds` and `tricks`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from acesaround.cards import Card, Suit, kinds, kinds_in_set, pack, parse_cards
from acesaround.errors import AcesAroundError, NotationError
from acesaround.rules import Phase, Rules
from acesaround.rules.laid_melds import best_layable_melds
from acesaround.rules.melds import find_melds
from acesaround.rules.tricks import legal_cards


def parse_query(trump: str | None, hand: str, **fields: object) -> dict[str, object]:
    """Return a question made from command-line arguments."""
    query = {"hand": parse_cards(hand), **fields}
    if trump is not None:
        query["trump"] = trump
    if isinstance(query.get("trick"), str):
        query["trick"] = parse_cards(str(query["trick"]))
    return query


def answer_meld_query(rules: Rules, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a hand melds: `{"points": ..., "melds": [...]}`. Raise NotationError.

    For games where melds are laid between tricks, return the most that could be laid over time.
    Trump may be null or "none" if a deal can have no trump; then no meld of trump counts.
    """
    hand = _parse_cards(rules, query, "hand")
    laid_between_tricks = Phase.MELDING not in rules.phases
    trump = _parse_trump(query, is_required=laid_between_tricks)
    meld_table = rules.melds
    if laid_between_tricks:
        assert trump is not None
        melds = best_layable_melds(meld_table, pack(hand), trump)
    else:
        melds = find_melds(meld_table, pack(hand), trump)
    items = [
        {"name": m.name, "cards": [str(c) for c in m.cards], "points": m.points} for m in melds
    ]
    return {"points": sum(m.points for m in melds), "melds": items}


def answer_legal_query(rules: Rules, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return which cards may be played: `{"legal": [...]}`, distinct, in written order.

    `trick`: the cards played so far, the lead first. `broken`: whether trump may be led
    freely (default true). `phase`: "stock" or "playoff" (default). Raise NotationError.
    """
    hand = _parse_cards(rules, query, "hand")
    trick = _parse_cards(rules, query, "trick") if query.get("trick") is not None else ()
    trump = _parse_trump(query, is_required=True)
    assert trump is not None
    if not hand:
        raise NotationError("The hand is empty: there is no card to play.")
    if len(trick) >= rules.seats:
        raise NotationError(f"The trick has {len(trick)} cards: it is complete with {rules.seats}.")
    excess = rules.deck.first_excess_card((*hand, *trick))
    if excess is not None:
        raise NotationError(f"There are too many {excess} in hand and trick together.")
    broken = query.get("broken", True)
    if not isinstance(broken, bool):
        raise NotationError(f"broken cannot be {json.dumps(broken)}: expected true or false.")
    playable = kinds(pack(hand))
    if _parse_phase(rules, query) is Phase.PLAY:
        play_rules = rules.play
        playable = legal_cards(
            playable,
            trick,
            trump,
            play_rules,
            is_trump_broken=broken or not play_rules.trump_must_be_broken,
        )
    return {"legal": [str(card) for card in kinds_in_set(playable)]}


def _parse_phase(rules: Rules, query: Mapping[str, Any]) -> Phase:
    phase = query.get("phase", "playoff")
    if phase == "playoff":
        return Phase.PLAY
    if phase != "stock":
        raise NotationError(f"phase cannot be {json.dumps(phase)}: expected stock or playoff.")
    if Phase.STOCK_PLAY not in rules.phases:
        raise NotationError(f"{rules.variant} has no stock phase.")
    return Phase.STOCK_PLAY


def _parse_trump(query: Mapping[str, Any], *, is_required: bool) -> Suit | None:
    trump = query.get("trump")
    if trump is None or (isinstance(trump, str) and trump.lower() == "none"):
        if is_required or "trump" not in query:
            or_none = "" if is_required else ", or none where there is no trump"
            raise NotationError(f"Trump is missing: expected one of S H D C{or_none}.")
        return None
    if not isinstance(trump, str):
        raise NotationError(f"{json.dumps(trump)} is not a suit: expected one of S H D C.")
    return Suit(trump)


def _parse_cards(rules: Rules, query: Mapping[str, Any], name: str) -> tuple[Card, ...]:
    value = query.get(name)
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list | tuple):
        problem = f"{name} is missing" if value is None else f"{name} cannot be {json.dumps(value)}"
        raise NotationError(f"{problem}: expected a list of cards, such as AS TH 9D.")
    cards = tuple(
        card
        if isinstance(card, Card)
        else Card(card if isinstance(card, str) else json.dumps(card))
        for card in value
    )
    excess = rules.deck.first_excess_card(cards)
    if excess is not None:
        copies = rules.deck.copies if excess.rank < rules.deck.ranks else 0
        raise NotationError(f"There are too many {excess}: the deck has {copies} of it.")
    if name == "hand" and len(cards) > rules.max_hand_size:
        note = "" if rules.max_hand_size == rules.hand_size else _max_hand_note(rules)
        raise NotationError(
            f"{len(cards)} cards are too many for a hand: "
            f"{rules.variant} has hands of {rules.hand_size}{note}."
        )
    return cards


def _max_hand_note(rules: Rules) -> str:
    extra_cards = "the kitty" if rules.deal.kitty else "cards from a partner"
    return f", and {rules.max_hand_size} with {extra_cards}"


def answer_lines(
    lines: Iterable[bytes], answer: Callable[[dict[str, Any]], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the answers to JSON lines one by one; for a bad line yield `{"error": ...}`."""
    for line in lines:
        if not line.strip():
            continue
        try:
            query = msgspec.json.decode(line)
            if not isinstance(query, dict):
                raise NotationError('A query is an object: {"trump": "H", "hand": [...]}.')
            yield answer(query)
        except (msgspec.DecodeError, UnicodeError) as error:
            yield {"error": f"This is not JSON: {error}."}
        except RecursionError:
            yield {"error": "This is not a query: it is nested too deeply."}
        except AcesAroundError as error:
            yield {"error": str(error)}


def meld_text(answer: Mapping[str, Any]) -> str:
    """Return an answer of `answer_meld_query` as a table for people."""
    rows = [(m["name"], " ".join(m["cards"]), str(m["points"])) for m in answer["melds"]]
    rows = [*rows, ("total", "", str(answer["points"]))]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:<{widths[0]}}  {cards:<{widths[1]}}  {points:>{widths[2]}}"
        for name, cards, points in rows
    )


def legal_text(answer: Mapping[str, Any]) -> str:
    """Return an answer of `answer_legal_query` as a line for people."""
    return " ".join(answer["legal"])
