"""Deals, and positions, played out by policies inside a kernel.

`batches` is what other code asks. `flat` is the rules as numbers and `packed` a deal in its play as
integers; `opening` brings a deal to its first lead, as `hands` and `chance` say, and `playing`
plays it on, as a `policy` and `chance` say, by `melding` and `laying`. `perft` counts ways to play.
"""

from acesaround.fast.playouts.batches import POLICIES, Deals, PlayoutResults, deals, finish

__all__ = ["POLICIES", "Deals", "PlayoutResults", "deals", "finish"]
