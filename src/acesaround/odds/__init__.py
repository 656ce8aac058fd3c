"""Statistics of millions of simulated deals: melds, runs, the lead, and bids that are made.

`batch` plays the deals. `estimates` has a function of `fast.playouts.Deals` for each question, and
`odds` for all of them together. `text_report` shows the answers as a table, `plot` as a picture.
The package needs `pip install 'acesaround[fast]'`, and the picture needs `acesaround[plot]`.
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
