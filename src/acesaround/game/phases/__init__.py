"""The phases of a deal, one module each.

`begin(state)` opens the phase, or completes it at once if there is nothing to decide. Phases with
decisions also have `KIND`, the subject of the decisions; `turn_of(state)`, the seat to act;
`decision(state)`, its legal actions; and `apply(state, action)`. A state whose phase is None means
that the phase is complete. `game.engine` knows the order of the phases, and which module belongs to
which value of `GameState.phase`.
"""
