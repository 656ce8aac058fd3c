"""Many games at once for fast training: arrays of actions in, arrays of results out.

    games = VectorEnv(1024, "partnership")
    step = games.reset(seed=1)
    while training:
        step = games.step(choose(step.observations, step.action_masks))

Each game waits for the seat on turn, so the policy plays all seats. Action ids, masks and
observations are those of `ActionCodec`, `Position` and `ObservationEncoder`. An episode is one
deal; a game whose deal is over begins its next deal in the same step. Compiled kernels play the
games (`acesaround.fast.stepping`). Needs the extra `fast`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from acesaround import optional_dependencies
from acesaround.actions import Deal
from acesaround.cards import CARDS
from acesaround.envs.action_codec import (
    CONCEDE_ID,
    DONE,
    FIRST_BID,
    FIRST_CARD,
    FIRST_TRUMP,
    MAX_BIDS,
    PASS_ID,
    ActionCodec,
)
from acesaround.envs.load_rules import load_rules
from acesaround.envs.position import REWARD_SCALE, Position
from acesaround.rules import Rules
from acesaround.variants import DEFAULT_VARIANT

with optional_dependencies.require_extra("VectorEnv", "fast"):
    import numpy as np
    import numpy.typing as npt

    from acesaround.envs.observations import ObservationEncoder
    from acesaround.fast import stepping
    from acesaround.fast.stepping.game_batch import DEALER, UPCARD

Integers: TypeAlias = "npt.NDArray[np.int64]"
Floats: TypeAlias = "npt.NDArray[np.float32]"
Booleans: TypeAlias = "npt.NDArray[np.bool_]"


class VectorStep(NamedTuple):
    """The state of all games after a step. The next step overwrites the arrays: copy what you keep.

    The arrays cannot be written to, because the games rely on their masks.

    Where a deal has ended, `rewards`, `scores` and `terminations` are those of that deal; all else
    is the start of the next one.
    """

    observations: Floats
    """What the seat on turn sees: (games, entries); no entries without observations."""
    action_masks: Booleans
    """Which action ids are legal for the seat on turn: (games, action ids)."""
    seats: Integers
    """The seat on turn: (games,)."""
    rewards: Floats
    """The reward of each seat, 0 until its deal ends: the points of its side less the mean of the
    other sides, divided by `reward_scale`. (games, seats)."""
    scores: Integers
    """The points of each side in the deal that has ended, else 0: (games, sides)."""
    terminations: Booleans
    """Whether the deal has ended in this step: (games,)."""


class VectorEnv:
    """A batch of games of the same rules, stepped by one action id each.

    `num_envs`: how many games. `variant`, `players`, `options`: those of
    `acesaround.envs.load_rules`. `observes`: whether each step writes observations; without them it
    is faster. Raises RulesError for games whose melds are laid between tricks.
    """

    def __init__(
        self,
        num_envs: int,
        variant: str | Rules = DEFAULT_VARIANT,
        players: int | None = None,
        options: str | Mapping[str, object] = "",
        *,
        observes: bool = True,
        max_bids: int = MAX_BIDS,
        reward_scale: float = REWARD_SCALE,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"a batch has 1 game or more, not {num_envs}")
        self.num_envs: int = num_envs
        self.reward_scale: float = reward_scale
        self.codec: ActionCodec = ActionCodec(load_rules(variant, players, options), max_bids)
        self.encoder: ObservationEncoder = ObservationEncoder(self.codec)
        self._rules = _build_step_rules(self.codec, self.encoder, reward_scale)
        self._games = stepping.empty_games(self._rules, num_envs)
        self._results = stepping.empty_results(self._rules, num_envs, observes=observes)
        self._step = _read_only_step(self._results)
        self._actions = np.zeros(num_envs, np.int64)
        self._rng = random.Random()
        self._deals_seed = self._draws_seed = self._draws = 0
        self._is_started = False

    @property
    def last_step(self) -> VectorStep:
        """The state of all games now."""
        self._require_reset()
        return self._step

    @property
    def dealers(self) -> Integers:
        """The dealer of each game: (games,)."""
        self._require_reset()
        return self._games.deals[:, DEALER].copy()

    def reset(self, seed: int | None = None) -> VectorStep:
        """Begin every game with a new deal. `seed`: of all deals and draws until the next seed."""
        if seed is not None:
            self._rng = random.Random(seed)
        self._deals_seed, self._draws_seed = self._rng.getrandbits(63), self._rng.getrandbits(63)
        self._draws, self._is_started = 0, True
        with np.errstate(over="ignore"):  # streams wrap; numpy warns about it in uncompiled code
            stepping.start_games(self._rules, self._games, self._deals_seed, self._results)
        return self.last_step

    def step(self, actions: npt.ArrayLike) -> VectorStep:
        """Apply one action id to each game. Raises ValueError if one is illegal.

        Then no game has changed.
        """
        self._require_reset()
        action_ids = np.asarray(actions)
        if action_ids.shape != (self.num_envs,) or action_ids.dtype.kind not in "iu":
            raise ValueError(
                f"expected {self.num_envs} whole numbers, not an array of {action_ids.dtype} with "
                f"the shape {action_ids.shape}"
            )
        self._actions[:] = action_ids
        masks = self._results.masks
        game = stepping.find_illegal_action(masks, self._actions)
        if game >= 0:
            legal = np.flatnonzero(masks[game]).tolist()
            raise ValueError(
                f"{action_ids[game]} is not legal in game {game}: expected one of {legal}"
            )
        with np.errstate(over="ignore"):
            stepping.step_games(
                self._rules, self._games, self._deals_seed, self._actions, self._results
            )
        return self.last_step

    def sample_actions(self) -> Integers:
        """Return a random legal action id for each game; all legal ones are equally likely."""
        self._require_reset()
        actions = np.zeros(self.num_envs, np.int64)
        with np.errstate(over="ignore"):
            stepping.draw_legal_action_ids(
                self._results.masks, self._draws_seed, self._draws, actions
            )
        self._draws += 1
        return actions

    def observe(self, seats: npt.ArrayLike) -> Floats:
        """Return what one seat of each game sees, on turn or not: (games, entries)."""
        self._require_reset()
        rules, wanted = self.codec.rules, np.asarray(seats)
        if wanted.shape not in ((), (self.num_envs,)):
            raise ValueError(f"expected one seat or {self.num_envs}, not the shape {wanted.shape}")
        if wanted.dtype.kind not in "iu" or wanted.min() < 0 or wanted.max() >= rules.seats:
            raise ValueError(f"seats are numbered 0 to {rules.seats - 1}")
        wanted = np.broadcast_to(wanted.astype(np.int64), self.num_envs)
        observations = np.zeros((self.num_envs, self.encoder.size), np.float32)
        stepping.observe_seats(self._rules, self._games, np.ascontiguousarray(wanted), observations)
        return observations

    def first_position(self, game: int) -> Position:
        """Return the position after the present deal of a game, for a closer look in Python."""
        self._require_reset()
        dealer = int(self._games.deals[game, DEALER])
        return Position.new(self.codec, dealer=dealer).act(self.deal(game))

    def deal(self, game: int) -> Deal:
        """Return the cards of the present deal of a game, as they were dealt."""
        self._require_reset()
        rules, fields = self.codec.rules, self._games.deals[game]
        cards = [CARDS[kind] for kind in self._games.cards[game]]
        kitty = rules.seats * rules.hand_size
        stock = kitty + rules.deal.kitty
        return Deal(
            hands=tuple(
                tuple(sorted(cards[first : first + rules.hand_size]))
                for first in range(0, kitty, rules.hand_size)
            ),
            kitty=tuple(cards[kitty:stock]),
            stock=tuple(cards[stock:]),
            upcard=CARDS[fields[UPCARD]] if fields[UPCARD] >= 0 else None,
        )

    def _require_reset(self) -> None:
        """Raise ValueError before the first reset, when no cards have been dealt."""
        if not self._is_started:
            raise ValueError("The games have not begun: call reset first.")


def _read_only_step(results: stepping.StepResults) -> VectorStep:
    """Return views of the results through which nobody can write."""
    step = VectorStep(
        observations=results.observations.view(),
        action_masks=results.masks.view(),
        seats=results.seats.view(),
        rewards=results.rewards.view(),
        scores=results.scores.view(),
        terminations=results.terminations.view(),
    )
    for array in step:
        array.flags.writeable = False
    return step


def _build_step_rules(
    codec: ActionCodec, encoder: ObservationEncoder, reward_scale: float
) -> stepping.StepRules:
    action_ids = stepping.ActionIds(
        pass_id=PASS_ID,
        done=DONE,
        concede=CONCEDE_ID,
        first_trump=FIRST_TRUMP,
        first_card=FIRST_CARD,
        first_bid=FIRST_BID,
        action_count=codec.action_count,
    )
    layout = stepping.ObservationLayout(
        size=encoder.size,
        first_decision=encoder.offsets["decision"],
        first_entries=np.array(
            [encoder.offsets[group] for group in stepping.OBSERVATION_GROUPS], np.int64
        ),
        points_scale=encoder.points_scale,
    )
    return stepping.build_step_rules(codec.rules, codec.bids, action_ids, layout, reward_scale)
