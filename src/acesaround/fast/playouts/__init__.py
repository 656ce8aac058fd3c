"""Playouts: deals and positions played out by policies inside a kernel.

`batches` is the public interface. `rule_arrays` has the rules as numbers, and `packed_deal` a deal
in its play as integers. `deal_preparation` brings a deal to its first lead with `hand_evaluation`,
and `play_loop` plays it on with `policy` and `trick_stakes`; both draw random numbers from `rng`.
`meld_values` has the values of melds, and `meld_laying` lays them. `perft` counts the ways to play.
"""

from acesaround.fast.playouts.batches import (
    POLICIES,
    DealResults,
    PlayoutResults,
    play_out,
    simulate_deals,
)

__all__ = ["POLICIES", "DealResults", "PlayoutResults", "play_out", "simulate_deals"]
