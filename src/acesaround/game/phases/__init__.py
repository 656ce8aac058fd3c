"""The phases of a deal, one module each: `begin`, and where it asks anything what and whom.

`begin(state)` opens the phase or, where there is nothing to decide, passes over it. `KIND` is what
its decisions are about, `turn_of(state)` the seat that is to act, `decision(state)` all that it may
do, and `apply` does it: the state it returns has `phase` None when the phase is finished. Which
phase follows, and which belongs to which value of `GameState.phase`, is `game`'s affair.
"""
