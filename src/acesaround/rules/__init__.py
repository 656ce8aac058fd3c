"""Rules as data: one frozen object with every rule in which tables differ.

`model` has `Rules` and its consistency checks, `parts` its parts, `meld_table` the table of melds,
`bounds` the limits of its numbers. `options` has the options that people change by name. Nothing
here applies a rule: each enum is read in exactly one module, named in its docstring. There are no
callables and no variant names, because a variant is a sheet in `variants/`.
"""

from acesaround.rules.bounds import MOST_OF_A_MELD, PerRank
from acesaround.rules.meld_table import (
    MULTIPLE,
    OF_TRUMP,
    MeldTable,
    NamedMeld,
    each,
    value_of_several,
)
from acesaround.rules.model import Rules
from acesaround.rules.parts import (
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
    PlayLaw,
    Renege,
    Scoring,
    Tie,
    bid_step,
    is_legal_height,
    stuck_for,
)

__all__ = [
    "MOST_OF_A_MELD",
    "MULTIPLE",
    "OF_TRUMP",
    "AllPass",
    "Auction",
    "CardPoints",
    "Concede",
    "DealRules",
    "Ending",
    "Exchange",
    "FirstDealer",
    "KeepMeld",
    "MeldTable",
    "MustBeat",
    "NamedMeld",
    "PerRank",
    "Phase",
    "PlayLaw",
    "Renege",
    "Rules",
    "Scoring",
    "Tie",
    "bid_step",
    "each",
    "is_legal_height",
    "stuck_for",
    "value_of_several",
]
