"""The loops over all games: start them, step them, draw random action ids for them."""

from __future__ import annotations

from typing import Any, TypeAlias

from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.rng import advance, random_below, start_stream
from acesaround.fast.stepping.deal_phases import (
    apply_before_play,
    apply_in_play,
    score_game,
    start_deal,
)
from acesaround.fast.stepping.game_batch import (
    DEAL_NUMBER,
    DECIDE_PLAY,
    DECISION,
    OVER,
    SEAT,
    GameBatch,
    StepResults,
    StepRules,
)
from acesaround.fast.stepping.legal_action_mask import write_mask
from acesaround.fast.stepping.observation_kernel import write_observation

Array: TypeAlias = Any  # numba infers it


@inlined_kernel
def _write_decision(rules: StepRules, games: GameBatch, game: int, results: StepResults) -> None:
    """Write who is on turn, which action ids are legal, and what the seat sees."""
    seat = games.deals[game, SEAT]
    results.seats[game] = seat
    write_mask(rules, games, game, results.masks[game])
    if results.observations.shape[1]:
        write_observation(rules, games, game, seat, results.observations[game])


@arrayless_kernel
def start_games(rules: StepRules, games: GameBatch, seed: int, results: StepResults) -> None:
    """Begin every game with its first deal. The seed and the place of a game decide its deals."""
    for game in range(games.deals.shape[0]):
        games.deals[game, DEAL_NUMBER] = 0
        start_deal(rules, games, game, seed)
        results.terminations[game] = False
        for seat in range(results.rewards.shape[1]):
            results.rewards[game, seat] = 0
        for side in range(results.scores.shape[1]):
            results.scores[game, side] = 0
        _write_decision(rules, games, game, results)


@arrayless_kernel
def find_illegal_action(masks: Array, actions: Array) -> int:
    """Return the first game whose action id is not legal, or -1."""
    for game in range(masks.shape[0]):
        action_id = actions[game]
        if action_id < 0 or action_id >= masks.shape[1] or not masks[game, action_id]:
            return game
    return -1


@arrayless_kernel
def step_games(
    rules: StepRules, games: GameBatch, seed: int, actions: Array, results: StepResults
) -> None:
    """Apply one legal action id to each game. A game whose deal is over begins the next one."""
    for game in range(games.deals.shape[0]):
        if results.terminations[game]:
            results.terminations[game] = False
            for seat in range(results.rewards.shape[1]):
                results.rewards[game, seat] = 0
            for side in range(results.scores.shape[1]):
                results.scores[game, side] = 0
        if games.deals[game, DECISION] == DECIDE_PLAY:
            apply_in_play(rules, games, game, actions[game])
        else:
            apply_before_play(rules, games, game, actions[game])
        if games.deals[game, DECISION] == OVER:
            results.terminations[game] = True
            score_game(rules, games, game, results)
            start_deal(rules, games, game, seed)
        _write_decision(rules, games, game, results)


@arrayless_kernel
def observe_seats(rules: StepRules, games: GameBatch, seats: Array, observations: Array) -> None:
    """Write what one seat of each game sees."""
    for game in range(games.deals.shape[0]):
        write_observation(rules, games, game, seats[game], observations[game])


@arrayless_kernel
def draw_legal_action_ids(masks: Array, seed: int, draw: int, actions: Array) -> None:
    """Write a random legal action id for each game. `draw`: counts the draws of a seed."""
    rng_state = start_stream(seed, draw)
    for game in range(masks.shape[0]):
        count = 0
        for action_id in range(masks.shape[1]):
            count += masks[game, action_id]
        rng_state = advance(rng_state)
        at = random_below(rng_state, count)
        action_id = -1
        while at >= 0:
            action_id += 1
            at -= masks[game, action_id]
        actions[game] = action_id
