"""Questions about a hand, for people and for programs: its melds and its legal plays.

A question is a JSON object, `{"trump": "H", "hand": ["AS", ...]}`; so is the answer. The rules
themselves are in `melds`, `laydown` and `tricks`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from acesaround.cards import Card, Suit, kinds, members, pack, parse_cards
from acesaround.errors import AcesAroundError, NotationError
from acesaround.rules import Phase, Rules
from acesaround.rules.laydown import max_layable_points
from acesaround.rules.melds import find
from acesaround.rules.tricks import legal_cards


def parse_query(trump: str | None, hand: str, **more: object) -> dict[str, object]:
    """Return a question made from command-line arguments."""
    asked = {"hand": parse_cards(hand), **more}
    if trump is not None:
        asked["trump"] = trump
    if isinstance(asked.get("trick"), str):
        asked["trick"] = parse_cards(str(asked["trick"]))
    return asked


def meld(rules: Rules, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a hand melds: `{"points": ..., "melds": [...]}`. Raise NotationError.

    For games where melds are laid between tricks, return the most that could be laid over time.
    Trump may be null or "none" where a deal can have none; then nothing in trump melds.
    """
    hand = _cards(rules, asked, "hand")
    laid_by_hand = Phase.MELDING not in rules.phases
    trump = _trump(asked, needed=laid_by_hand)
    table = rules.melds
    if laid_by_hand:
        assert trump is not None
        found = max_layable_points(table, pack(hand), trump)
    else:
        found = find(table, pack(hand), trump)
    items = [
        {"name": m.name, "cards": [str(c) for c in m.cards], "points": m.points} for m in found
    ]
    return {"points": sum(m.points for m in found), "melds": items}


def legal(rules: Rules, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return which cards may be played: `{"legal": [...]}`, distinct, in written order.

    `trick`: the cards played so far, the lead first. `broken`: whether trump may be led freely
    (default true). `phase`: "stock" or "playoff" (default). Raise NotationError.
    """
    hand = _cards(rules, asked, "hand")
    trick = _cards(rules, asked, "trick") if asked.get("trick") is not None else ()
    trump = _trump(asked, needed=True)
    assert trump is not None
    if not hand:
        raise NotationError("The hand is empty: there is no card to play.")
    if len(trick) >= rules.seats:
        raise NotationError(f"The trick has {len(trick)} cards: it is complete with {rules.seats}.")
    excess = rules.deck.excess((*hand, *trick))
    if excess is not None:
        raise NotationError(f"There are too many {excess} in hand and trick together.")
    broken = asked.get("broken", True)
    if not isinstance(broken, bool):
        raise NotationError(f"broken cannot be {json.dumps(broken)}: expected true or false.")
    held = kinds(pack(hand))
    if _phase(rules, asked) is Phase.PLAY:
        law = rules.play
        held = legal_cards(
            held,
            trick,
            trump,
            law,
            broken=broken or not law.trump_must_be_broken,
        )
    return {"legal": [str(card) for card in members(held)]}


def _phase(rules: Rules, asked: Mapping[str, Any]) -> Phase:
    phase = asked.get("phase", "playoff")
    if phase == "playoff":
        return Phase.PLAY
    if phase != "stock":
        raise NotationError(f"phase cannot be {json.dumps(phase)}: expected stock or playoff.")
    if Phase.STOCK_PLAY not in rules.phases:
        raise NotationError(f"{rules.variant} has no stock phase.")
    return Phase.STOCK_PLAY


def _trump(asked: Mapping[str, Any], *, needed: bool) -> Suit | None:
    trump = asked.get("trump")
    if trump is None or (isinstance(trump, str) and trump.lower() == "none"):
        if needed or "trump" not in asked:
            or_none = "" if needed else ", or none where there is no trump"
            raise NotationError(f"Trump is missing: expected one of S H D C{or_none}.")
        return None
    if not isinstance(trump, str):
        raise NotationError(f"{json.dumps(trump)} is no suit: expected one of S H D C.")
    return Suit(trump)


def _cards(rules: Rules, asked: Mapping[str, Any], name: str) -> tuple[Card, ...]:
    given = asked.get(name)
    if isinstance(given, str):
        given = given.replace(",", " ").split()
    if not isinstance(given, list | tuple):
        what = f"{name} is missing" if given is None else f"{name} cannot be {json.dumps(given)}"
        raise NotationError(f"{what}: expected a list of cards, such as AS TH 9D.")
    cards = tuple(
        card
        if isinstance(card, Card)
        else Card(card if isinstance(card, str) else json.dumps(card))
        for card in given
    )
    excess = rules.deck.excess(cards)
    if excess is not None:
        copies = rules.deck.copies if excess.rank < rules.deck.ranks else 0
        raise NotationError(f"There are too many {excess}: the deck has {copies} of it.")
    if name == "hand" and len(cards) > rules.most_held:
        more = "" if rules.most_held == rules.hand_size else _with_more(rules)
        raise NotationError(
            f"{len(cards)} cards are too many for a hand: "
            f"{rules.variant} has hands of {rules.hand_size}{more}."
        )
    return cards


def _with_more(rules: Rules) -> str:
    what = "the kitty" if rules.deal.kitty else "cards from a partner"
    return f", and {rules.most_held} with {what}"


def answer_lines(
    lines: Iterable[bytes], answer: Callable[[dict[str, Any]], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the answers to JSON lines one by one; for a bad line yield `{"error": ...}`."""
    for line in lines:
        if not line.strip():
            continue
        try:
            asked = msgspec.json.decode(line)
            if not isinstance(asked, dict):
                raise NotationError('A question is an object: {"trump": "H", "hand": [...]}.')
            yield answer(asked)
        except (msgspec.DecodeError, UnicodeError) as error:
            yield {"error": f"This is no JSON: {error}."}
        except RecursionError:
            yield {"error": "This is no question: it is nested too deeply."}
        except AcesAroundError as error:
            yield {"error": str(error)}


def meld_text(answer: Mapping[str, Any]) -> str:
    """Return an answer of `meld` as a table for people."""
    rows = [(m["name"], " ".join(m["cards"]), str(m["points"])) for m in answer["melds"]]
    rows = [*rows, ("total", "", str(answer["points"]))]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:<{widths[0]}}  {cards:<{widths[1]}}  {points:>{widths[2]}}"
        for name, cards, points in rows
    )


def legal_text(answer: Mapping[str, Any]) -> str:
    """Return an answer of `legal` as a line for people."""
    return " ".join(answer["legal"])
