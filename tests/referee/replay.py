"""The referee: replays a record by its own rules and reports every difference."""

from collections import Counter
from typing import Any, NoReturn

from tests.referee.cards import SUITS, in_order, winner_index
from tests.referee.legal import allowed_plays, is_legal_bid
from tests.referee.melds import (
    Holding,
    Item,
    automatic,
    holding,
    item,
    lay_down,
    with_card,
    without_card,
)
from tests.referee.options import House, house_of_rules, house_of_variant
from tests.referee.scores import Standing, Tally, after_deal, may_concede, score_deal


class FatalError(Exception):
    """A fault after which the record cannot be replayed."""


class UnfinishedError(Exception):
    """The actions end before the deal is over."""


class DealOverError(Exception):
    """The deal is over; the argument is the outcome."""


def check(record: dict[str, Any]) -> list[str]:
    """Return the faults of a record as sentences."""
    faults: list[str] = []
    try:
        play_game(record, faults)
    except FatalError as stop:
        faults.append(str(stop))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        faults.append(f"The record is malformed: {error!r}.")
    return faults


def play_game(record: dict[str, Any], faults: list[str]) -> None:
    """Replay all deals of a record, then check its totals and winner."""
    if record["format"] not in ("acesaround/1", "acesaround/2"):
        faults.append(f"The format is {record['format']!r}.")
    try:
        house = house_of(record)
    except ValueError as error:
        raise FatalError(f"There is no such table: {error}.") from error
    if record["sides"] != house.sides:
        raise FatalError(f"The sides are {house.sides}, not {record['sides']}.")
    everybody = list(range(house.seats))
    game = Standing([0] * len(house.sides), house.target, everybody)
    dealer: int | None = None
    for number, given in enumerate(record["deals"], 1):
        label = f"Deal {number}"
        if game.winner is not None:
            raise FatalError(f"{label} was played after side {game.winner} had won.")
        if given["players"] != game.players:
            raise FatalError(f"{label} is played by {game.players}, not {given['players']}.")
        if dealer is not None:
            due = next_of(game.players, dealer)
            if given["dealer"] != due:
                raise FatalError(f"{label}: the dealer is seat {due}, not {given['dealer']}.")
        if given["dealer"] not in game.players:
            raise FatalError(f"{label}: the dealer, seat {given['dealer']}, does not play.")
        dealer = given["dealer"]
        deal = Deal(house, given, label, faults)
        added = deal.replay()
        if added is None:
            if number < len(record["deals"]):
                raise FatalError(f"{label} is not over, yet another follows.")
            break
        game.totals = [total + more for total, more in zip(game.totals, added, strict=True)]
        game.deals += 1
        after_deal(house, game, deal.bidder)
    if record["totals"] != game.totals:
        faults.append(f"The totals are {game.totals}, not {record['totals']}.")
    if record["winner"] != game.winner:
        faults.append(f"The winner is {game.winner}, not {record['winner']}.")


def house_of(record: dict[str, Any]) -> House:
    """Return the house of a record from its rules object; format 1 has no valid one."""
    if record["format"] == "acesaround/1":
        return house_of_variant(record["variant"], len(record["seats"]), record["options"])
    house = house_of_rules(record["rules"])
    if house.seats != len(record["seats"]):
        raise ValueError(f"its rules are for {house.seats} seats")
    return house


def next_of(players: list[int], seat: int) -> int:
    """Return the next player to the left of a seat."""
    return next((other for other in players if other > seat), players[0])


class Deal:
    """One deal: its cards as they move, compared with its record."""

    def __init__(self, house: House, given: dict[str, Any], label: str, faults: list[str]) -> None:
        self.house, self.given, self.label, self.faults = house, given, label, faults
        self.players: list[int] = given["players"]
        self.dealer: int = given["dealer"]
        self.hands: list[list[str]] = [list(hand) for hand in given["hands"]]
        self.stock: list[str] = list(given["stock"])
        self.upcard: str | None = given["upcard"]
        self.actions: list[list[Any]] = given["actions"]
        self.at = 0
        self.trump: str | None = None
        self.bid: int | None = None
        self.declarer: int | None = None
        self.bidder: int | None = None  # the declarer's side
        self.laid: list[tuple[int, int, list[Item]]] | None = None  # seat, points, items
        self.buried: list[str] = []
        self.table: list[Holding] = [holding(hand) for hand in self.hands]
        self.dix_done = False
        self.tricks: list[dict[str, int]] = []
        sides = len(house.sides)
        self.tally = Tally([0] * sides, [0] * sides, [0] * sides, [False] * sides)

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return next(place for place, seats in enumerate(self.house.sides) if seat in seats)

    def fault(self, text: str) -> None:
        """Record a difference after which the replay can continue."""
        self.faults.append(f"{self.label}: {text}.")

    def stop(self, text: str) -> FatalError:
        """Return the exception for a difference after which the replay cannot continue."""
        return FatalError(f"{self.label}, action {self.at}: {text}.")

    def take(self, seat: int, *verbs: str) -> tuple[str, Any]:
        """Return the next action, which must be the seat's and have one of these verbs."""
        if self.at == len(self.actions):
            raise UnfinishedError
        action = self.actions[self.at]
        self.at += 1
        if action[0] != seat or action[1] not in verbs:
            raise self.stop(f"seat {seat} has to {' or '.join(verbs)}, but {action} follows")
        return action[1], action[2] if len(action) > 2 else None

    def take_cards(self, seat: int, verb: str) -> list[str]:
        """Return the cards of the next action, which the seat must hold."""
        _, cards = self.take(seat, verb)
        if Counter(cards) - Counter(self.hands[seat]):
            raise self.stop(f"seat {seat} does not hold all of {cards}")
        return list(cards)

    def move(self, cards: list[str], seat: int, to: list[str]) -> None:
        """Move cards from a hand to a list."""
        for card in cards:
            self.hands[seat].remove(card)
            to.append(card)

    def replay(self) -> list[int] | None:
        """Replay the deal; return the changes of the totals, or None if it is not over."""
        self.check_cards()
        try:
            self.run()
        except UnfinishedError:
            self.compare_melds_and_tricks()
            if self.given.get("score") is not None:
                self.fault("it has a score but is not over")
            return None
        except DealOverError as over:
            outcome = str(over)
        if self.at < len(self.actions):
            self.fault(f"it was over after {self.at} actions, yet others follow")
        self.tally.bid, self.tally.bidder = self.bid, self.bidder
        self.tally.trump = self.trump
        outcome, added = score_deal(self.house, outcome, self.tally)
        self.compare_melds_and_tricks()
        expected = {
            "outcome": outcome,
            "bid": self.bid,
            "declarer": self.declarer,
            "trump": self.trump,
            "meld": self.tally.meld,
            "play": self.tally.play,
            "change": added,
        }
        score = self.given.get("score")
        if score is None:
            self.fault("it is over but has no score")
        else:
            for name, value in expected.items():
                if score[name] != value:
                    self.fault(f"in the score {name} is {value!r}, not {score[name]!r}")
        return added

    def run(self) -> None:
        """Replay the deal; raises DealOverError at its end."""
        leader = next_of(self.players, self.dealer)
        if self.house.stock_game:
            self.trump = None if self.upcard is None else self.upcard[1]
            self.laid = []
            self.score_turned_nine()
        elif self.house.upcard:
            assert self.upcard is not None
            self.trump = self.upcard[1]
            self.offer_upcard(self.upcard)
        else:
            leader = self.auction()
            self.prepare(leader)
        self.play(leader)

    def score_turned_nine(self) -> None:
        """Score a nine as upcard for the dealer if the rules say so."""
        up, points = self.upcard, self.house.nine_up
        if self.laid is not None and up is not None and up[0] == "9" and points:
            self.laid.append((self.dealer, points, [item("dix", [up], points)]))
            self.tally.meld[self.side(self.dealer)] += points

    def offer_upcard(self, upcard: str) -> None:
        """Offer the dealer's upcard; then all seats meld, the taker with the nine given for it."""
        nine, dealer = "9" + upcard[1], self.dealer
        taker: int | None = None
        seat = next_of(self.players, dealer)
        while self.house.takes_upcard and upcard != nine and taker is None and seat != dealer:
            if not self.house.all_asked and nine not in self.hands[seat]:
                seat = next_of(self.players, seat)
                continue
            given = self.take_cards(seat, "discard")
            if given not in ([], [nine]) or (given and nine not in self.hands[seat]):
                raise self.stop(f"{given} cannot be given for the upcard")
            if self.house.nine_given and not given and nine in self.hands[seat]:
                raise self.stop(f"{seat} kept a nine that had to be given for the upcard")
            taker = seat if given else None
            seat = next_of(self.players, seat)
        if taker is not None:
            self.hands[taker].remove(nine)
            self.hands[taker].append(upcard)
            self.hands[dealer].remove(upcard)
            self.hands[dealer].append(nine)
        held, self.hands = self.hands, [list(hand) for hand in self.hands]
        if taker is not None:
            self.hands[taker].append(nine)
            self.hands[dealer].remove(nine)
        self.lay_melds()
        self.hands = held

    # The deal and the auction

    def check_cards(self) -> None:
        """Check the sizes of hands, kitty and stock, and that the cards are the deck."""
        house, kitty = self.house, list(self.given["kitty"])
        for seat, hand in enumerate(self.hands):
            size = house.hand_size if seat in self.players else 0
            if len(hand) != size:
                raise self.stop(f"seat {seat} is dealt {size} cards, not {len(hand)}")
        if len(self.hands) != house.seats:
            raise self.stop(f"there are {len(self.hands)} hands")
        if len(kitty) != house.kitty:
            raise self.stop(f"the kitty has {len(kitty)} cards")
        if (self.upcard is not None) != house.upcard:
            raise self.stop(f"the upcard is {self.upcard}")
        upcard = [] if self.upcard is None else [self.upcard]
        if not house.stock_game:  # it is one of the dealer's
            if upcard and upcard[0] not in self.hands[self.dealer]:
                raise self.stop(f"the dealer does not hold the upcard {upcard[0]}")
            upcard = []
        cards = [card for hand in self.hands for card in hand] + kitty + self.stock + upcard
        if Counter(cards) != Counter(house.deck):
            raise self.stop("the cards are not those of the pack")

    def auction(self) -> int:
        """Replay the auction; return the declarer."""
        house, seat = self.house, next_of(self.players, self.dealer)
        all_pass = house.all_pass
        passed: list[int] = []
        turns = 0
        while True:
            left_in = [player for player in self.players if player not in passed]
            if house.once:
                if turns == len(self.players):
                    break
            elif not left_in or left_in == [self.declarer]:
                break
            if seat in passed:
                seat = next_of(self.players, seat)
                continue
            forced = all_pass == "dealer-bids" and left_in == [self.dealer]
            forced = self.bid is None and (forced or all_pass == "first-bids")
            verb, bid = self.take(seat, "bid") if forced else self.take(seat, "bid", "pass")
            turns += 1
            if verb == "pass":
                passed.append(seat)
            elif is_legal_bid(house, bid, self.bid):
                self.bid, self.declarer = bid, seat
            else:
                raise self.stop(f"{bid} cannot be bid over {self.bid}")
            seat = next_of(self.players, seat)
        if self.declarer is None and all_pass == "redeal":
            raise DealOverError("thrown-in")
        if self.declarer is None:
            self.declarer, self.bid = self.dealer, house.stuck
        self.bidder = self.side(self.declarer)
        return self.declarer

    def prepare(self, declarer: int) -> None:
        """Replay everything from the auction to the melds."""
        house, hand = self.house, self.hands[declarer]
        if house.kitty:
            hand.extend(self.given["kitty"])
            buried = self.take_cards(declarer, "bury")
            if len(buried) != house.kitty:
                raise self.stop(f"{len(buried)} cards were buried")
            self.move(buried, declarer, self.buried)
        suits = list(SUITS)
        if house.marriage_needed:
            suits = [suit for suit in suits if "K" + suit in hand and "Q" + suit in hand]
        if not suits:
            self.lay_melds()
            raise DealOverError("no-marriage")
        _, trump = self.take(declarer, "trump")
        if trump not in suits:
            raise self.stop(f"{trump} cannot be named trump")
        self.trump = trump
        if house.redraw:
            self.discard_and_draw(declarer)
        count = house.exchange
        if count:
            side = house.sides[self.side(declarer)]
            partners = sorted(
                (seat for seat in side if seat != declarer),
                key=lambda seat: (seat - declarer) % house.seats,
            )
            passes = [(partner, declarer) for partner in partners]
            passes += [(declarer, partner) for partner in partners]
            for giver, getter in passes:
                cards = self.take_cards(giver, "give")
                if len(cards) != count:
                    raise self.stop(f"{len(cards)} cards were given instead of {count}")
                self.move(cards, giver, self.hands[getter])
        self.lay_melds()

    def discard_and_draw(self, declarer: int) -> None:
        """Let all seats discard and draw, from the declarer on.

        Discards are not drawn again, so drawing at once gives the same hands.
        """
        limit = self.house.discard_limit(len(self.players))
        seat = declarer
        for _ in self.players if limit else []:
            cards = self.take_cards(seat, "discard")
            if len(cards) > limit:
                self.handle_offence(
                    seat, f"seat {seat} discarded {len(cards)} cards of {limit} at most"
                )
            self.move(cards, seat, [])
            for _ in cards:
                self.hands[seat].append(self.stock.pop(0))
            seat = next_of(self.players, seat)

    def lay_melds(self) -> None:
        """Lay the automatic melds of all hands."""
        self.laid = []
        for seat in self.players:
            melding = self.house.defenders_meld or self.side(seat) == self.bidder
            found = automatic(self.house, self.trump, self.hands[seat]) if melding else []
            points = sum(meld["points"] for meld in found)
            self.laid.append((seat, points, found))
            self.tally.meld[self.side(seat)] += points
            nines = sum(meld["points"] for meld in found if self.is_dix(meld["name"]))
            self.tally.nines[self.side(seat)] += nines

    def is_dix(self, name: str) -> bool:
        """Return True for the name of a dix or a multiple of it."""
        own = [other for other, _, _ in self.house.others]
        return name.split()[-1] == "dix" and name not in own

    def handle_offence(self, seat: int, text: str) -> NoReturn:
        """End the deal as a renege if the rules say so, else raise FatalError."""
        if self.house.renege != "penalty":
            raise self.stop(text)
        self.tally.offender = self.side(seat)
        self.count_buried()
        raise DealOverError("reneged")

    # The tricks

    def count_buried(self) -> None:
        """Add the buried points to the declarer's side."""
        values = self.house.card_points
        if self.bidder is not None:
            self.tally.play[self.bidder] += sum(values[card[0]] for card in self.buried)

    def play(self, leader: int) -> None:
        """Replay all tricks, with the draws and melds of the stock game between them."""
        house, trump = self.house, self.trump
        broken, stock_phase, just_drawn = False, house.stock_game, False
        while self.hands[leader]:
            trick: list[str] = []
            seats: list[int] = []
            seat = leader
            while len(trick) < len(self.players):
                verbs = ["play"]
                if not trick and not self.tricks and self.bidder is not None:
                    verbs.append("concede")
                laying = stock_phase or (just_drawn and house.after_stock)
                laying = laying and not house.before_draw
                if not trick and self.tricks and laying:
                    verbs.append("meld")
                verb, what = self.take(seat, *verbs)
                if verb == "concede":
                    self.concede()
                if verb == "meld":
                    what = self.lay_and_take(seat, list(what), "play")
                if what not in self.hands[seat]:
                    raise self.stop(f"seat {seat} does not hold {what}")
                hand = self.hands[seat]
                allowed = allowed_plays(house, trump, hand, trick, broken=broken, stock=stock_phase)
                if what not in allowed:
                    self.handle_offence(seat, f"seat {seat} may play {allowed}, not {what}")
                self.hands[seat].remove(what)
                self.table[seat] = (
                    without_card(self.table[seat], what) if stock_phase else Holding(())
                )
                trick.append(what)
                seats.append(seat)
                broken = broken or what[1] == trump
                seat = next_of(self.players, seat)
            winner = seats[winner_index(trick, trump)]
            points = sum(house.card_points[card[0]] for card in trick)
            self.tricks.append({"leader": leader, "winner": winner, "points": points})
            side = self.side(winner)
            self.tally.play[side] += points
            if house.keep == "trick" or any(card[0] in "ATK" for card in trick):
                self.tally.counter[side] = True
            leader, just_drawn = winner, stock_phase
            if stock_phase:
                last = len(self.stock) < len(self.players)
                if house.before_draw and (house.after_stock or not last):
                    verb, what = self.take(winner, "pass", "meld")
                    if verb == "meld":
                        self.lay_and_take(winner, list(what), "pass")
                stock_phase = self.draw(winner)
        self.tally.play[self.side(leader)] += house.last
        self.count_buried()
        raise DealOverError("played")

    def lay_and_take(self, seat: int, cards: list[str], then: str) -> Any:
        """Lay a meld, perhaps another one after a nine, and return the card of the action `then`.

        A pass follows only if no meld but nines was laid.
        """
        self.lay(seat, cards)
        if self.house.nine_beside and cards == [f"9{self.trump}"]:
            verb, what = self.take(seat, then, "meld")
            return self.lay_and_take(seat, list(what), then) if verb == "meld" else what
        return None if then == "pass" else self.take(seat, then)[1]

    def concede(self) -> None:
        """End the deal as conceded."""
        assert self.bidder is not None
        assert self.bid is not None
        meld = self.tally.meld[self.bidder]
        if not may_concede(self.house, self.bid, meld, len(self.players)):
            raise self.stop(f"a bid of {self.bid} with {meld} meld may not be conceded")
        raise DealOverError("conceded")

    def draw(self, winner: int) -> bool:
        """Let each seat draw a card, the winner first; return True while there is a stock."""
        seat = winner
        for _ in self.players:
            if self.stock:
                card = self.stock.pop(0)
            else:
                assert self.upcard is not None
                card, self.upcard = self.upcard, None
            self.hands[seat].append(card)
            self.table[seat] = with_card(self.table[seat], card)
            seat = next_of(self.players, seat)
        return self.upcard is not None

    def lay(self, seat: int, cards: list[str]) -> None:
        """Lay a meld of the stock game; the first dix is exchanged for the upcard."""
        assert self.laid is not None
        ways = lay_down(self.house, self.table[seat], self.trump, cards)
        if not ways:
            raise self.stop(f"seat {seat} cannot lay down {cards}")
        way = ways[0]
        if way.name == "dix" and not self.dix_done and self.upcard is not None:
            self.dix_done = True
            nine, fetched = cards[0], self.upcard
            self.table[seat] = with_card(without_card(self.table[seat], nine), fetched)
            self.move([nine], seat, [])
            self.hands[seat].append(fetched)
            self.upcard = nine
        else:
            self.table[seat] = way.holding
        # A record may have the whole points or the growth: see `compare_melds_and_tricks`.
        self.laid.append((seat, way.points, [item(way.name, cards, way.worth)]))
        self.tally.meld[self.side(seat)] += way.points

    # Comparison with the record

    def compare_melds_and_tricks(self) -> None:
        """Compare the melds and tricks with those of the record."""
        expected = self.laid
        written = self.given["melds"]
        if expected is None:  # before melding: no entries, or empty ones of all seats
            expected = [(seat, 0, []) for seat in self.players] if written else []
        if [entry["seat"] for entry in written] != [seat for seat, _, _ in expected]:
            self.fault(f"melds are laid by seats {[seat for seat, _, _ in expected]} in that order")
        else:
            for entry, (seat, points, items) in zip(written, expected, strict=True):
                if entry["points"] != points:
                    self.fault(f"seat {seat} melds {points}, not {entry['points']}")
                shown = [written_item(meld) for meld in entry["melds"]]
                full = [written_item(meld) for meld in items]
                grown = [written_item({**meld, "points": points}) for meld in items]
                if sorted(shown) != sorted(full) and not (self.house.stock_game and shown == grown):
                    self.fault(f"seat {seat} lays {full}, not {shown}")
        tricks = [{name: trick[name] for name in ("leader", "winner", "points")}
                  for trick in self.given["tricks"]]  # fmt: skip
        if tricks != self.tricks:
            for number, (trick, played) in enumerate(zip(tricks, self.tricks, strict=False), 1):
                if trick != played:
                    self.fault(f"trick {number} is {played}, not {trick}")
            if len(tricks) != len(self.tricks):
                self.fault(f"{len(self.tricks)} tricks were completed, not {len(tricks)}")


def written_item(meld: Item) -> tuple[str, list[str], int]:
    """Return name, sorted cards and points of a meld."""
    return meld["name"], in_order(meld["cards"]), meld["points"]
