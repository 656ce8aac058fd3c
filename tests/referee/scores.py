"""The referee's arithmetic: what a deal adds to the totals, who may give up, who has won."""

from dataclasses import dataclass

from tests.referee.house import House


@dataclass
class Tally:
    """One deal as it stands at its end; the lists hold a value a side."""

    meld: list[int]
    nines: list[int]  # the part of the meld that is nines of trump
    play: list[int]  # with the last trick and the buried counters
    counter: list[bool]  # whether the side won an ace, ten or king in a trick
    bid: int | None = None
    bidder: int | None = None  # the side that has the bid
    offender: int | None = None  # the side that reneged


def as_if_saved(house: House, meld: int) -> int:
    """The meld of a side that need not win anything in play to keep it."""
    if house.variant == "double-deck" or house.options.get("min_twenty", False):
        return meld if meld >= 20 else 0
    return meld


def may_concede(house: House, bid: int, meld: int, players: int) -> bool:
    """Whether the bidder may give up now: `meld` is that of the bidder's own side."""
    if house.options["concede"] != "hopeless":
        return bool(house.options["concede"] == "always")
    if house.few:
        in_play = min(24, players * house.hand_size)
    else:
        in_play = sum(house.card_points[card[0]] for card in house.deck)
    # Whoever wins everything keeps the meld; only the 20 of the tournament rules stays in the way.
    own = as_if_saved(house, meld) if house.variant == "double-deck" else meld
    return bid > own + in_play + int(house.row["last"])


def hand_total(house: House, tally: Tally, side: int) -> int:
    """What a side makes of a deal that was played out, before anybody is set."""
    meld, play = tally.meld[side], tally.play[side]
    if house.variant == "three-handed":
        return (meld if tally.counter[side] else 0) + play
    if house.few:
        return meld + play if play >= 1 else tally.nines[side]
    if house.variant == "partnership":
        return meld + play if play >= 1 else 0
    if house.variant == "double-deck":
        if play < 20:
            return 0
        return play + (meld if meld >= 20 else 0)
    if house.variant == "double-deck-classic" and house.options["min_twenty"]:
        return meld + play if meld + play >= 20 else 0
    return meld + play


def change(house: House, outcome: str, tally: Tally) -> tuple[str, list[int]]:
    """The outcome (`played` becomes `made`, `set` or `counted`) and what the totals change by."""
    sides = range(len(tally.meld))
    if outcome == "thrown-in":
        return outcome, [0 for _ in sides]
    bid = tally.bid or 0
    if outcome == "reneged":
        saved = [as_if_saved(house, tally.meld[side]) for side in sides]
        return outcome, [-bid if side == tally.offender else saved[side] for side in sides]
    if outcome == "played":
        gained = [hand_total(house, tally, side) for side in sides]
        if tally.bidder is None:
            return "counted", gained
        if tally.play[tally.bidder] == 0 and house.variant == "partnership":
            outcome = "set"
        else:
            outcome = "made" if gained[tally.bidder] >= bid else "set"
        if outcome == "made":
            return outcome, gained
    else:
        gained = [as_if_saved(house, tally.meld[side]) for side in sides]
        if outcome == "no-marriage" and house.variant == "double-deck-classic":
            gained = [0 for _ in sides]
    # What is left is the bidder who does not make it: set, conceded or without a marriage.
    assert tally.bidder is not None
    gained[tally.bidder] = -bid
    if house.few:
        gained[tally.bidder] += tally.nines[tally.bidder]
    if house.options.get("set_pays_defenders", False) and outcome != "conceded":
        gained[tally.bidder] = 0
        gained[1 - tally.bidder] += bid
    return outcome, gained


@dataclass
class Standing:
    """The game between two deals."""

    totals: list[int]
    target: int
    players: list[int]  # who plays the next deal
    deals: int = 0
    winner: int | None = None


def after_deal(house: House, game: Standing, bidder: int | None) -> None:
    """Settle whether the deal that was just added to the totals ended the game."""
    totals = game.totals
    if house.options["hands"] is not None:
        top = [side for side, total in enumerate(totals) if total == max(totals)]
        if game.deals < house.options["hands"]:
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
    if bidder in reached:
        game.winner = bidder
        return
    top = [side for side in reached if totals[side] == max(totals[s] for s in reached)]
    if len(top) == 1:
        game.winner = top[0]
    elif house.few:
        game.players = [seat for side in top for seat in house.sides[side]]
    elif house.stock_game:
        while game.target <= totals[top[0]]:
            game.target += 250
