"""Statistics of millions of simulated deals: melds, runs, the lead, and bids that are made.

`batch` plays the deals. `estimates` has a function of `fast.playouts.DealResults` for each
question, and `odds` for all of them together. `text_report` shows the answers as a table, `plot` as
a picture. The package needs `pip install 'acesaround[fast]'`, and the picture needs
`acesaround[plot]`.
"""

from acesaround.odds.batch import check_deal_count, play_deals
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
    compute_odds,
    declarer_points,
    default_bids,
    estimate_melds,
    estimate_runs,
    lead_advantage,
    sum_by_side,
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
    "check_bids",
    "check_deal_count",
    "compute_odds",
    "declarer_points",
    "default_bids",
    "estimate_melds",
    "estimate_runs",
    "lead_advantage",
    "play_deals",
    "sum_by_side",
]
