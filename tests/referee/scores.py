"""The referee's scores: changes of totals by a deal, conceding, and the winner."""

from dataclasses import dataclass

from tests.referee.options import House


@dataclass
class Tally:
    """The end of one deal; each list has a value for each side."""

    meld: list[int]
    nines: list[int]  # the points of dixes in the meld
    play: list[int]  # with the last trick and the buried points
    counter: list[bool]  # the side won an ace, ten or king in a trick; for `trick` any card
    bid: int | None = None
    bidder: int | None = None  # the side that has the bid
    offender: int | None = None  # the side that reneged
    trump: str | None = None


def as_if_saved(house: House, meld: int) -> int:
    """Return the meld of a side that scores without winning a trick."""
    return meld if meld >= max(house.least_meld, house.least_hand) else 0


def may_concede(house: House, bid: int, meld: int, players: int) -> bool:
    """Return True if the declarer may concede; `meld` is that of the declarer's side."""
    if house.concede != "hopeless":
        return house.concede == "always"
    # The undealt cards may be those without points.
    worth = sorted((house.card_points[card[0]] for card in house.deck), reverse=True)
    in_play = sum(worth[: players * house.hand_size + house.kitty])
    # A side that wins all tricks keeps its meld, except for the floor on meld.
    own = meld if meld >= house.least_meld else 0
    return bid > own + in_play + house.last


def hand_total(house: House, tally: Tally, side: int) -> int:
    """Return the points of a side in a deal that was played out, before going set."""
    meld, play = tally.meld[side], tally.play[side]
    won = tally.counter[side]
    saved = {"always": True, "counter": won, "trick": won, "point": play > 0}[house.keep]
    if not saved or meld < house.least_meld:
        meld = tally.nines[side] if house.nines_apart else 0
    if play < house.least_play or meld + play < house.least_hand:
        return 0
    return meld + play


def score_deal(house: House, outcome: str, tally: Tally) -> tuple[str, list[int]]:
    """Return the outcome (`played` becomes `made`, `set`, `counted`) and the changes of totals."""
    sides = range(len(tally.meld))
    if outcome == "thrown-in":
        return outcome, [0 for _ in sides]
    bid = tally.bid or 0
    if house.pays and tally.bidder is not None:
        return payment(house, outcome, tally)
    if outcome == "reneged":
        saved = [as_if_saved(house, tally.meld[side]) for side in sides]
        return outcome, [-bid if side == tally.offender else saved[side] for side in sides]
    if outcome == "played":
        gained = [hand_total(house, tally, side) for side in sides]
        if tally.bidder is None:
            return "counted", gained
        outcome = "made" if gained[tally.bidder] >= bid else "set"
        if outcome == "made":
            return outcome, gained
    else:
        gained = [as_if_saved(house, tally.meld[side]) for side in sides]
        if outcome == "no-marriage" and not house.no_marriage_pays:
            gained = [0 for _ in sides]
    # From here on the declarer failed: set, conceded or without a marriage.
    assert tally.bidder is not None
    gained[tally.bidder] = -bid
    if house.set_pays and outcome != "conceded":
        gained = [(0 if side == tally.bidder else gained[side] + bid) for side in sides]
    if house.nines_apart and outcome != "no-marriage":  # without trump there are none
        gained[tally.bidder] += tally.nines[tally.bidder]
    return outcome, gained


def payment(house: House, outcome: str, tally: Tally) -> tuple[str, list[int]]:
    """Return outcome and changes where each deal is paid: all others pay one side, or are paid."""
    assert tally.bidder is not None
    assert tally.bid is not None
    stake = house.pays[0][1]
    for height, units in house.pays:
        if height <= tally.bid:
            stake = units
    stakes = stake * (house.spades_pay if tally.trump == "S" else 1)
    side = tally.bidder
    if outcome == "played":
        outcome = "made" if hand_total(house, tally, side) >= tally.bid else "set"
    if outcome == "reneged":
        assert tally.offender is not None
        side = tally.offender
    each = {
        "made": stakes,
        "set": -stakes * house.set_pays_times,
        "reneged": -stakes * house.set_pays_times,
        "conceded": -stake,
        "no-marriage": -stake,
    }[outcome]
    others = len(tally.meld) - 1
    return outcome, [each * others if one == side else -each for one in range(others + 1)]


@dataclass
class Standing:
    """The game between two deals."""

    totals: list[int]
    target: int
    players: list[int]  # the players of the next deal
    deals: int = 0
    winner: int | None = None


def after_deal(house: House, game: Standing, bidder: int | None) -> None:
    """Update winner, players or target after the changes of a deal were added."""
    totals = game.totals
    if house.hands is not None:
        top = [side for side, total in enumerate(totals) if total == max(totals)]
        if game.deals < house.hands:
            return
        if len(top) == 1:
            game.winner = top[0]
        elif bidder in top:
            game.winner = bidder
        return
    playing = [s for s, seats in enumerate(house.sides) if set(seats) & set(game.players)]
    reached = [side for side in playing if totals[side] >= game.target]
    if not reached:
        return
    if bidder in reached and house.declarer_first:
        game.winner = bidder
        return
    top = [side for side in reached if totals[side] == max(totals[s] for s in reached)]
    if len(top) == 1:
        game.winner = top[0]
    elif house.tie == "tied-play-on":
        game.players = [seat for side in top for seat in house.sides[side]]
    elif house.tie == "raise-target":
        while game.target <= totals[top[0]]:
            game.target += house.step
