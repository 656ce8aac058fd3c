"""Rules as data: one frozen object with every rule in which tables differ.

`model` has `Rules`, `consistency` the faults of rules that contradict each other, `stage_rules` the
rules of each stage of a deal, `meld_table` the table of melds, `number_limits` the limits of its
numbers. `options` has the options that people change by name. These modules apply no rule: exactly
one module, named in the docstring of each enum, reads that enum. There are no callables and no
variant names, because a variant is a sheet in `variants/`.
"""

from acesaround.rules.bid_heights import bid_step, dealer_forced_bid, is_legal_height
from acesaround.rules.meld_table import (
    MULTIPLE_PREFIXES,
    TRUMP_SIGN,
    HouseMeld,
    MeldTable,
    as_values,
    value_of_several,
)
from acesaround.rules.model import Rules
from acesaround.rules.number_limits import MAX_MELD_CARDS, PerRank
from acesaround.rules.stage_rules import (
    AllPass,
    Auction,
    CardPoints,
    Concede,
    DealRules,
    Ending,
    Exchange,
    FirstDealer,
    KeepMeld,
    MustBeat,
    Phase,
    PlayRules,
    Renege,
    Scoring,
    Tie,
)

__all__ = [
    "MAX_MELD_CARDS",
    "MULTIPLE_PREFIXES",
    "TRUMP_SIGN",
    "AllPass",
    "Auction",
    "CardPoints",
    "Concede",
    "DealRules",
    "Ending",
    "Exchange",
    "FirstDealer",
    "HouseMeld",
    "KeepMeld",
    "MeldTable",
    "MustBeat",
    "PerRank",
    "Phase",
    "PlayRules",
    "Renege",
    "Rules",
    "Scoring",
    "Tie",
    "as_values",
    "bid_step",
    "dealer_forced_bid",
    "is_legal_height",
    "value_of_several",
]
