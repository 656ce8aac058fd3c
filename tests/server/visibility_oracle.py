"""What a seat may know: an oracle that is independent of the server's code.

`learned` says what a seat learns from each event of the engine, without `view`, `seen_by` or
anything that is sent. If a seat learns the same from two logs, it must be sent the same bytes.
`other_world` finds such a log by moving cards that the seat has not seen.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from acesaround import game, variants
from acesaround.actions import Concede
from acesaround.bots.random_bot import RandomBot
from acesaround.cards import Card, unpack
from acesaround.errors import AcesAroundError
from acesaround.game.events import (
    Buried,
    Dealt,
    DiscardChosen,
    Discarded,
    Drew,
    Event,
    Given,
    Melded,
)
from acesaround.game.state import StockPlaying
from acesaround.game.view import turn_of
from acesaround.record.model import action_to_json
from acesaround.table import (
    CommandRefused,
    Config,
    Person,
    Table,
    TablePresence,
    apply_entry,
    automatic_actor,
    automatic_entry,
    begin,
    commands,
    fold,
    handle_command,
)
from acesaround.table import entries as log
from acesaround.table.commands import Command
from acesaround.table.entries import Entry
from acesaround.table.trick_claims import can_claim

Step = tuple[Table, tuple[Event, ...]]
Fact = tuple[object, ...]

# A whole card as in records or on the page, not part of a longer word.
CARD = re.compile(r"(?<![\w-])(10|[9TJQKA])([SHDC♠♥♦♣])(?![\w-])")
LETTERS = str.maketrans("♠♥♦♣", "SHDC")


def find_cards(text: str) -> set[str]:
    """Return the cards that a message names, anywhere and in any form."""
    return {rank.replace("10", "T") + suit.translate(LETTERS) for rank, suit in CARD.findall(text)}


def list_learned_facts(step: Step, seat: int | None) -> list[Fact]:
    """Return what a seat (None: a spectator) learns from a step."""
    table, events = step
    rules = table.rules
    sides = [0] * len(rules.sides)
    for event in events:
        if isinstance(event, Melded):
            sides[rules.side_of(event.seat)] += event.points or 0
    facts: list[Fact] = []
    if table.game is not None and isinstance(table.game.phase, StockPlaying):
        # Of two equal cards the one in the hand is played first, so laid cards are public.
        facts.append(tuple(unpack(down.cards) for down in table.game.phase.laid_melds))
    for event in events:
        kind = type(event).__name__
        match event:
            case Dealt():
                own = None if seat is None else event.hands[seat]
                facts.append((kind, event.deal, event.dealer, event.players, own, event.sizes))
                facts.append((kind, event.kitty, event.stock, event.upcard))
            case Buried() | Discarded() | Drew():
                own = event.cards if event.seat == seat else None
                facts.append((kind, event.seat, event.number, own))
            case DiscardChosen():
                facts.append((kind, event.seat, event.cards if event.seat == seat else None))
            case Given():
                own = event.cards if seat in (event.seat, event.to) else None
                facts.append((kind, event.seat, event.to, event.number, own))
            case Melded():
                assert event.melds is not None
                low = sides[rules.side_of(event.seat)] < rules.scoring.least_meld
                if low and event.seat != seat:  # only aces around are shown, without points
                    shown = tuple(m for m in event.melds if m.name.endswith("aces around"))
                    facts.append((kind, event.seat, shown))
                else:
                    facts.append((kind, event.seat, event.melds, event.points))
            case _:
                facts.append((kind, event))
    return facts


def find_named_cards(facts: Iterable[object]) -> set[str]:
    found: set[str] = set()
    for fact in facts:
        if isinstance(fact, Card):
            found.add(str(fact))
        elif isinstance(fact, tuple | list):
            found |= find_named_cards(fact)
        elif hasattr(fact, "__struct_fields__"):
            found |= find_named_cards(getattr(fact, name) for name in fact.__struct_fields__)
    return found


def list_steps(entries: Sequence[Entry]) -> list[Step]:
    """Return the table and the events after each entry but the first."""
    table = fold(entries[:1])
    found = []
    for entry in entries[1:]:
        table, events = apply_entry(table, entry)
        found.append((table, events))
    return found


def hide_buried_of_sheet(state: bytes, table: Table) -> str:
    """Return a state without the buried cards of scored deals, which everybody may see.

    Asserts that the state shows the buried cards of the log.
    """
    message = json.loads(state)
    for row, scored in zip(message["sheet"], table.sheet, strict=True):
        assert row.pop("buried") == [str(card) for card in scored.buried]
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


class Allowed:
    """The cards that each seat may have been told of, at every moment of a log."""

    def __init__(self, told: Sequence[Step]) -> None:
        self._by_seq: dict[int, dict[int | None, frozenset[str]]] = {}
        known: dict[int | None, frozenset[str]] = {}
        for table, events in told:
            seats = (None, *range(table.rules.seats))
            if any(isinstance(event, Dealt) for event in events) or not known:
                known = dict.fromkeys(seats, frozenset[str]())
            if events:
                known = {
                    seat: known[seat] | find_named_cards(list_learned_facts((table, events), seat))
                    for seat in seats
                }
            self._by_seq[table.seq] = known

    def __call__(self, seq: int, seat: int | None) -> frozenset[str]:
        return self._by_seq[seq][seat]


PEOPLE = tuple(
    Person(f"id-{n}", name) for n, name in enumerate(("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"))
)
ONLOOKER = "id-5"


def random_rules(rng: random.Random) -> tuple[str, int, dict[str, Any]]:
    """Return a variant, a number of players and a few house options that are allowed together."""
    variant = rng.choice(sorted(variants.VARIANTS))
    preset = variants.VARIANTS[variant]
    players = rng.choice(preset.players)
    options: dict[str, Any] = {}
    for name in rng.sample(preset.options, rng.randrange(min(5, len(preset.options) + 1))):
        tried = {**options, name: rng.choice(VALUES[name])}
        try:
            variants.get(variant, players, tried)
        except AcesAroundError:
            continue
        options = tried
    return variant, players, options


VALUES: dict[str, list[object]] = {
    "target": [1, 300, 1000],
    "hands": [None, 1, 2],
    "lowest_bid": [1, 10, 50, 65, 100, 250],
    "all_pass": ["redeal", "dealer", "dealer-bids", "first-bids"],
    "concede": ["never", "hopeless", "always"],
    "exchange": [0, 1, 2, 3, 4],
    "marriage_needed": [True, False],
    "set_pays_defenders": [True, False],
    "duplicate_runs_extra": [True, False],
    "min_twenty": [True, False],
    "double_roundhouse": [0, 60],
    "renege": ["refuse", "penalty"],
    "card_points": ["tens", "kings-fives", "traditional"],
    "meld_from_hand": [True, False],
    "meld_before_draw": [True, False],
    "meld_after_stock": [True, False],
    "nine_beside": [True, False],
    "nine_turned_up": [0, 10],
    "nine_must_take": [True, False],
    "deck": ["48", "24-each"],
}


def make_random_log(rng: random.Random, deals: int, longest: int = 600) -> list[Entry]:
    """Return the log of a table where a few persons play, ask, answer, come and go.

    It ends when that many deals are scored, or the game is over.
    """
    variant, players, options = random_rules(rng)
    config = Config(variant, players, options, bots=rng.choice(["thumb", "random", "random"]))
    entries: list[Entry] = list(begin(config, PEOPLE[0]))
    table = fold(entries)

    def do(*more: Entry) -> None:
        nonlocal table
        for entry in more:
            table, _ = apply_entry(table, entry)
            entries.append(entry)

    def send(person: Person, command: Command) -> None:
        with contextlib.suppress(CommandRefused):
            do(*handle_command(table, person, command, rng, choose_random_presence(person, rng)))

    for person in PEOPLE[1 : rng.randrange(1, 6)]:
        send(person, commands.Sit(rng.randrange(players)))
    send(PEOPLE[0], commands.Start())
    restless = rng.choice([0.0, 0.05, 0.3, 0.6])
    while len(table.sheet) < deals and table.is_playing and len(entries) < longest:
        if table.proposal is not None and table.proposal.waiting:
            # An unanswered proposal blocks the table.
            seat = rng.choice(table.proposal.waiting)
            who = table.seats[seat].person
            do(log.Answered(seat, False)) if who is None else send(
                who, commands.AnswerProposal(rng.random() < 0.7)
            )
        elif rng.random() < restless:
            send(*random_command(table, rng))
        elif table.is_paused:
            do(log.Resumed())
        elif automatic_actor(table) is not None:
            do(automatic_entry(table, rng))
        elif rng.random() < 0.3 and (claimer := find_claimer(table)) is not None:
            send(claimer, commands.Claim())
        else:
            act_randomly(table, rng, do)
    return entries


def choose_random_presence(person: Person, rng: random.Random) -> TablePresence:
    """Return a presence with this person, perhaps others, and some absent for good."""
    others = [one.id for one in PEOPLE if one.id != person.id]
    present = {person.id, *rng.sample(others, rng.randrange(len(others) + 1))}
    gone = {one for one in others if one not in present and rng.random() < 0.7}
    return TablePresence(frozenset(present), frozenset(gone))


def find_claimer(table: Table) -> Person | None:
    seat = None if table.game is None else turn_of(table.game)
    return table.seats[seat].person if seat is not None and can_claim(table, seat) else None


def act_randomly(table: Table, rng: random.Random, do: Any) -> None:
    """Make a random legal action of the person on turn, or of the bot that substitutes."""
    assert table.game is not None
    decision = game.decision(table.game)
    if decision.seat is None:
        do(automatic_entry(table, rng))
        return
    action = RandomBot(rng).choose(None, decision)
    if isinstance(action, Concede) and rng.random() < 0.9:
        action = next(iter(decision.legal))
    by_bot = table.seats[decision.seat].is_played_by_bot
    do(log.Acted(decision.seat, action_to_json(decision.seat, action)[1:], bot=by_bot))


def random_command(table: Table, rng: random.Random) -> tuple[Person, Command]:
    """Return a random command of a person or spectator, which may be refused."""
    seat = rng.randrange(table.rules.seats)
    who = rng.choice(PEOPLE)
    held = [table.seats[n].person for n in table.occupied_seats]
    if table.undoable is not None and rng.random() < 0.3:
        return table.seats[table.undoable.seat].person or who, commands.Undo()
    if held and rng.random() < 0.6:
        who = rng.choice(held) or who
    asked = [one.seq for one in table.seat_requests] or [0]
    out = [one.seq for one in table.removed_people] or [0]
    if asked != [0] and rng.random() < 0.3:
        return table.host, commands.AnswerSeatRequest(rng.choice(asked), rng.random() < 0.7)
    return who, rng.choice(
        (
            commands.Claim(), commands.TakeOverFromBot(), commands.TakeOverFromBot(),
            commands.Swap(seat),
            commands.AllowHints(rng.random() < 0.5),
            commands.SubstituteBot(seat), commands.Sit(seat), commands.Sit(seat),
            commands.Stand(), commands.SendChat("oops"),
            commands.Pause(), commands.Resume(), commands.Remove(seat),
            commands.SetBot(seat, "random"),
            commands.RequestSeat(seat), commands.RequestSeat(seat),
            commands.AnswerSeatRequest(rng.choice(asked), True),
            commands.GiveHost(seat), commands.Readmit(rng.choice(out)),
            commands.ReplaceLink("watch"),
            commands.SetJoining(rng.choice(("open", "open", "ask", "locked"))),
        )
    )  # fmt: skip


def list_hidden_places(
    dealt: log.Dealt, seats: Collection[int | None]
) -> list[tuple[str, int, int]]:
    """Return the places of cards that these seats do not hold."""
    found = [
        ("hands", seat, index)
        for seat, hand in enumerate(dealt.hands)
        for index in range(len(hand))
        if seat not in seats
    ]
    found += [("kitty", -1, index) for index in range(len(dealt.kitty))]
    found += [("stock", -1, index) for index in range(len(dealt.stock))]
    return found


def make_other_world(
    entries: Sequence[Entry], start: Table, seats: Collection[int | None], rng: random.Random
) -> tuple[list[Entry], list[Step], int]:
    """Return another log from which these seats learn the same, its steps and the number of swaps.

    `entries` begin with a `Dealt`, and `start` is the table before it. Hidden cards change places,
    and so do cards in secret actions of others.
    """
    best = list(entries)
    found, wanted = _learn(best, start, seats)
    moved = 0
    for _ in range(TRIES):
        tried = _swap_hidden_cards(best, seats, rng)
        try:
            again, facts = _learn(tried, start, seats, wanted)
        except (AcesAroundError, AssertionError, _Differs):
            continue
        if facts == wanted and tried != best:
            best, found, moved = tried, again, moved + 1
    return best, found, moved


TRIES = 16


class _Differs(Exception):  # noqa: N818 - not an error: another world is tried
    """The seats would learn something else."""


def _learn(
    entries: Sequence[Entry],
    start: Table,
    seats: Collection[int | None],
    wanted: list[list[Fact]] | None = None,
) -> tuple[list[Step], list[list[Fact]]]:
    """Return the steps of a log and what seats learn; raise _Differs if that is not `wanted`."""
    table = start
    found: list[Step] = []
    facts: list[list[Fact]] = []
    for entry in entries:
        if isinstance(entry, log.Acted) and table.game is not None:
            assert turn_of(table.game) == entry.seat
        table, events = apply_entry(table, entry)
        found.append((table, events))
        facts.append([fact for seat in seats for fact in list_learned_facts(found[-1], seat)])
        if wanted is not None and facts[-1] != wanted[len(facts) - 1]:
            raise _Differs
    return found, facts


_SECRET = ("bury", "give", "discard")


def _swap_hidden_cards(
    entries: Sequence[Entry], seats: Collection[int | None], rng: random.Random
) -> list[Entry]:
    """Return the log with two hidden cards exchanged, and perhaps secret actions adapted."""
    dealt = entries[0]
    assert isinstance(dealt, log.Dealt)
    cards = json.loads(log.encode(dealt))
    places = list_hidden_places(dealt, seats)
    (part, seat, index), (part2, seat2, index2) = rng.sample(places, 2)
    here = cards[part][seat] if seat >= 0 else cards[part]
    there = cards[part2][seat2] if seat2 >= 0 else cards[part2]
    one, other = here[index], there[index2]
    here[index], there[index2] = other, one
    renamed = rng.random() < 0.7
    changed: list[Entry] = [log.decode(json.dumps(cards))]
    for entry in entries[1:]:
        if (
            renamed
            and isinstance(entry, log.Acted)
            and entry.seat not in seats
            and entry.action[0] in _SECRET
        ):
            swap = {one: other} if entry.seat == seat else {other: one}
            if entry.seat in (seat, seat2) or rng.random() < 0.3:
                thrown = list(entry.action[1])
                for at, card in enumerate(thrown):
                    if card in swap:
                        thrown[at] = swap[card]
                        break
                entry = log.Acted(entry.seat, [entry.action[0], thrown], entry.bot)
        changed.append(entry)
    return changed
