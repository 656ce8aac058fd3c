"""Rules as data: one frozen object that says everything in which tables differ.

`whole` has `Rules` and what in it must go together, `parts` what it is made of, `melding` the table
of melds, `bounds` how large its numbers may be. What a person may change by name stands in
`options`. No rule is carried out here: each enum is read in exactly one module (named in its
docstring). No callables, no variant names: a variant is a sheet in `variants/`.
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
