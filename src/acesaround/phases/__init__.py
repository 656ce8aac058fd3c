"""The phases of a deal, one module each: `begin`, `decision`, `apply`.

`begin(state)` opens the phase or, where there is nothing to decide, passes over it; `apply` returns
the state with `phase` None when the phase is finished. Which phase follows is `game`'s affair.
"""
