"""The rules of each stage of a deal, from dealing to scoring; those of melds are in `meld_table`.

The docstring of each enum names the one module that reads it.
"""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec
from msgspec import Meta

from acesaround.cards import RANK_COUNT
from acesaround.rules.number_limits import (
    MAX_COPIES,
    MAX_PASSED_CARDS,
    CardCount,
    CardCountOrZero,
    DealCount,
    Multiplier,
    PerRank,
    Points,
    PointsOrZero,
    fault_unless,
    raise_faults,
)


class Phase(enum.StrEnum):
    """The phases of a deal, each a module in `game/phases/` (read by `game.engine`)."""

    AUCTION = "auction"
    KITTY = "kitty"
    TRUMP = "trump"
    EXCHANGE = "exchange"
    REDRAW = "redraw"
    MELDING = "melding"
    UPCARD = "upcard"
    STOCK_PLAY = "stock-play"
    PLAY = "play"


class AllPass(enum.StrEnum):
    """The consequence when everybody passes (read by `phases.auction`)."""

    REDEAL = "redeal"
    DEALER = "dealer"
    DEALER_BIDS = "dealer-bids"
    FIRST_BIDS = "first-bids"


class Concede(enum.StrEnum):
    """When the declarer may give up instead of leading (read by `phases.play`)."""

    NEVER = "never"
    HOPELESS = "hopeless"
    ALWAYS = "always"


class MustBeat(enum.StrEnum):
    """When a follower who can beat the winning card must do so (read by `tricks`)."""

    ALWAYS = "always"
    TRUMP = "trump"
    NEVER = "never"


class Renege(enum.StrEnum):
    """How an illegal play or discard of held cards is handled (read by `phases`)."""

    REFUSE = "refuse"
    PENALTY = "penalty"


class CardPoints(enum.StrEnum):
    """How many points cards count in tricks (read by `tricks`)."""

    ONES = "ones"
    TENS = "tens"
    KINGS_FIVES = "kings-fives"
    TRADITIONAL = "traditional"


class KeepMeld(enum.StrEnum):
    """The points that a side must win in play to keep its meld (read by `scoring`)."""

    ALWAYS = "always"
    COUNTER = "counter"
    POINT = "point"
    TRICK = "trick"


class Tie(enum.StrEnum):
    """How a tie at or above the target is resolved (read by `scoring`)."""

    ANOTHER_DEAL = "another-deal"
    TIED_PLAY_ON = "tied-play-on"
    RAISE_TARGET = "raise-target"


class FirstDealer(enum.StrEnum):
    """The first dealer of a later game (read by `game.engine`)."""

    RANDOM = "random"
    WINNER = "winner"


class DealRules(msgspec.Struct, frozen=True, kw_only=True):
    """How cards are dealt."""

    copies: Annotated[int, Meta(ge=1, le=MAX_COPIES)] | None = 2
    """Cards of each kind in the deck; none: one for each player."""
    nines: bool = True
    """Whether the deck has nines."""
    hand: tuple[CardCount, ...]
    """Cards each: one number for each number of players."""
    hand_of_24_each: CardCount = 12
    """Cards each where the deck has one copy for each player."""
    packet: CardCount
    """Cards dealt to a player at a time."""
    kitty: CardCountOrZero = 0
    """Cards set aside, one after each of the first rounds."""
    stock: bool = False
    """Whether cards that are not dealt form a pile to draw from."""
    upcard: bool = False
    """Whether a card is turned up, and its suit is trump: the one after the hands; without a stock
    the last one dealt, which is the dealer's."""
    all_asked: bool = False
    """Whether every player is asked for a nine to take the dealer's upcard. If not, only a player
    who holds one is asked, and the others see that."""
    nine_must_take: bool = False
    """Whether a player who holds the nine of trump must exchange it for the upcard."""

    def __post_init__(self) -> None:
        message = "A hand has at least one card."
        raise_faults(
            fault_unless(all(cards > 0 for cards in self.hand), message, "deal.hand"),
            fault_unless(self.hand_of_24_each > 0, message, "deal.hand_of_24_each"),
            fault_unless(self.packet > 0, "A packet has at least one card.", "deal.packet"),
            fault_unless(self.kitty >= 0, "A kitty cannot have fewer than 0 cards.", "deal.kitty"),
        )

    def rounds(self, hand: int) -> int:
        """Return how many rounds of packets it takes to deal `hand` cards to each player."""
        return -(-hand // self.packet)


class Auction(msgspec.Struct, frozen=True, kw_only=True):
    """How the bid is settled."""

    lowest_bid: Points
    """The lowest bid."""
    steps: tuple[tuple[PointsOrZero, Points], ...]
    """Pairs of a beginning and a step: from there on bids go by that step."""
    raises: tuple[Points, ...] = ()
    """The only raises allowed over the standing bid; none: any jump."""
    one_round: bool = False
    """Whether each seat speaks once."""
    all_pass: AllPass
    """When everybody passes: a new deal, the dealer plays for the lowest bid, or the dealer must
    bid; or the first to speak must bid, so that it cannot happen."""
    stuck_bid: Points | None = None
    """What the dealer plays for when everybody has passed; none: the lowest bid."""
    marriage_needed: bool = False
    """Whether trump must be a suit in which the declarer holds a marriage."""

    def __post_init__(self) -> None:
        starts = [start for start, _ in self.steps]
        raise_faults(
            fault_unless(
                starts
                and starts == sorted(set(starts))
                and all(step > 0 for _, step in self.steps),
                "The steps of bids go up from one beginning to the next, each by 1 or more.",
                "auction.steps",
            ),
            fault_unless(min(starts, default=0) >= 0, "No bid is below 0.", "auction.steps"),
            fault_unless(
                all(jump > 0 for jump in self.raises)
                and list(self.raises) == sorted(set(self.raises)),
                "The raises allowed go up and begin with 1 or more.",
                "auction.raises",
            ),
        )


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """Passing cards between partners, and drawing new ones."""

    exchange: Annotated[int, Meta(ge=0, le=MAX_PASSED_CARDS)] = 0
    """Cards that each partner passes to the declarer, who returns as many to each."""
    bury: CardCountOrZero = 0
    """Cards the declarer buries after taking the kitty: as many as it has."""


class PlayRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of play in which the games differ."""

    trump_must_be_broken: bool = False
    """Whether trump may be led only once it was played, or nothing else is held."""
    must_beat: MustBeat = MustBeat.ALWAYS
    """When a follower must beat the card now winning if able: always, on a lead of trump, never."""
    void_must_trump: bool = True  # read by `tricks`
    """Whether a hand that is out of the suit led must trump, even where that cannot win."""
    renege: Renege = Renege.REFUSE
    """An illegal play of a held card is refused, or accepted and ends the deal."""


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a deal."""

    card_points: CardPoints | PerRank
    """What cards count in tricks: a scale, or a number for each of A, 10, K, Q, J and 9."""
    last_trick: PointsOrZero
    """Points for the last trick."""
    keep_meld: KeepMeld
    """What a side must win to keep its meld: nothing, a counter in a trick, a point, or a trick."""
    least_meld: PointsOrZero = 0
    """A side's meld below this scores 0."""
    least_play: PointsOrZero = 0
    """A side's play below this scores 0, and its meld is lost."""
    least_hand: PointsOrZero = 20
    """What a side's whole hand must reach where a lower one scores 0."""
    min_twenty: bool = False
    """Whether a side's whole hand (meld and play) below the least hand scores 0."""
    nines_apart: bool = False
    """Whether dixes are recorded apart: never lost, and counted toward the bid."""
    no_marriage_pays: bool = True
    """Whether the others score meld where the declarer has no marriage."""
    concede: Concede = Concede.NEVER
    """When the declarer may give up before leading."""
    set_pays_defenders: bool = False
    """Whether a failed bid is added to the defenders and not taken from the declarer."""
    pays: tuple[tuple[PointsOrZero, Points], ...] = ()
    """Pairs of a bid and what each other side pays for it from there on; none: points score."""
    spades_pay: Multiplier = 1
    """How many times as much is paid where spades are trump."""
    set_pays: Multiplier = 1
    """How many times as much a bid costs that was played and set."""

    def __post_init__(self) -> None:
        card_points = self.card_points
        starts, units = [bid for bid, _ in self.pays], [unit for _, unit in self.pays]
        raise_faults(
            fault_unless(
                starts == sorted(set(starts))
                and units == sorted(units)
                and min(units, default=1) > 0,
                "What bids pay goes up from one bid to the next, each 1 or more.",
                "scoring.pays",
            ),
            fault_unless(min(starts, default=0) >= 0, "No bid is below 0.", "scoring.pays"),
            fault_unless(
                isinstance(card_points, str)
                or (len(card_points) == RANK_COUNT and min(card_points) >= 0 < max(card_points)),
                "Card points are six numbers, for A, 10, K, Q, J and 9: none below 0, one above.",
                "scoring.card_points",
            ),
            fault_unless(
                not (self.nines_apart and self.least_meld),
                "Nines that always count and a least meld do not fit together: a side below the "
                "least meld shows no melds.",
                "scoring.nines_apart",
                "scoring.least_meld",
            ),
        )


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """When the game is over and who has won."""

    target: Points
    """Points that win the game."""
    hands: DealCount | None = None
    """Deals in a game; none: as many as it takes to reach the target."""
    declarer_first: bool = True
    """Whether the declarer's side wins if it is among those that reach the target."""
    tie: Tie = Tie.ANOTHER_DEAL
    """Sides tied at the target: another deal, only the tied play on, or the target rises."""
    target_step: Points = 250
    """By how much the target rises."""
    first_dealer: FirstDealer = FirstDealer.RANDOM
    """Who deals first in a later game: drawn by lot, or the winner of the last one."""

    def __post_init__(self) -> None:
        message = "A target rises by 1 or more."
        raise_faults(fault_unless(self.target_step > 0, message, "ending.target_step"))
