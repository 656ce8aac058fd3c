"""What players ask of deals played out by the million: melds, runs, the lead, bids that are made.

`reckoning` has the questions, each a function of `fast.playouts.Deals`, and `odds` for all of them
together; `many` plays the deals. `page` shows the answers as a table, `figure` as a picture. They
need `pip install 'acesaround[fast]'`, and the picture `acesaround[plot]`.
"""

from acesaround.odds.batch import check, play_deals
from acesaround.odds.estimates import (
    Bid,
    Estimate,
    Lead,
    Meld,
    Melds,
    Odds,
    Runs,
    bid_success_rate,
    check_bids,
    default_bids,
    lead_advantage,
    melds,
    odds,
    of_sides,
    runs,
    scored,
)

__all__ = [
    "Bid",
    "Estimate",
    "Lead",
    "Meld",
    "Melds",
    "Odds",
    "Runs",
    "bid_success_rate",
    "check",
    "check_bids",
    "default_bids",
    "lead_advantage",
    "melds",
    "odds",
    "of_sides",
    "play_deals",
    "runs",
    "scored",
]
