"""Many games of the same rules in step: each decision is an action id, for all games at once.

The kernels behind `acesaround.envs.vector_env`. `game_batch` has the arrays: the rules, the games
and the results of a step. `deal_phases` plays a deal from the shuffle to its score, and calls
`shown_meld_cards` for the melds. `legal_action_mask` writes which actions are legal, `observations`
what a seat sees. `step_loop` has the loops over all games.
"""

from acesaround.fast.stepping.game_batch import (
    OBSERVATION_GROUPS,
    ActionIds,
    GameBatch,
    ObservationLayout,
    StepResults,
    StepRules,
    build_step_rules,
    empty_games,
    empty_results,
)
from acesaround.fast.stepping.step_loop import (
    draw_legal_action_ids,
    find_illegal_action,
    observe_seats,
    start_games,
    step_games,
)

__all__ = [
    "OBSERVATION_GROUPS",
    "ActionIds",
    "GameBatch",
    "ObservationLayout",
    "StepResults",
    "StepRules",
    "build_step_rules",
    "draw_legal_action_ids",
    "empty_games",
    "empty_results",
    "find_illegal_action",
    "observe_seats",
    "start_games",
    "step_games",
]
