"""All games as Gymnasium environments: one learner, and bots in the other seats.

Importing this module registers `AcesAround-v0`. Needs `gymnasium`:

    gymnasium.make("AcesAround-v0", variant="double-deck", opponents="thumb")

Observations and actions are those of `pettingzoo_env`. The reward comes at the end of the episode:
the points of the learner's side less the mean of the other sides, divided by `reward_scale`. An
illegal action id ends the episode with the reward -1, so that an agent without a mask learns too;
`action_masks` gives the mask to those that read it there.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt

from acesaround import bots
from acesaround.envs.action_codec import MAX_BIDS, ActionCodec
from acesaround.envs.load_rules import load_rules
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.position import REWARD_SCALE, Position
from acesaround.envs.spaces import make_spaces, observe
from acesaround.rules import Rules
from acesaround.variants import DEFAULT_VARIANT

ID: Final = "AcesAround-v0"
ILLEGAL_REWARD: Final = -1.0


class PinochleEnv(gymnasium.Env[dict[str, Any], Any]):
    """A game with a learner in one seat and named bots in the others.

    `variant`, `players`, `options`: those of `acesaround.envs.load_rules`. `opponents`: the bot in
    the seats of the other sides, `partner`: that of the learner's own side; see `docs/bots.md`.
    `seat`: the learner's seat, drawn for each episode if it is None. `deals`: the deals of an
    episode. Raises RulesError, for a bot that cannot play by the rules too.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium reads it

    def __init__(
        self,
        variant: str | Rules = DEFAULT_VARIANT,
        players: int | None = None,
        options: str | Mapping[str, object] = "",
        *,
        opponents: str = "random",
        partner: str | None = None,
        seat: int | None = None,
        deals: int = 1,
        max_bids: int = MAX_BIDS,
        reward_scale: float = REWARD_SCALE,
        render_mode: str | None = None,
    ) -> None:
        self.codec: ActionCodec = ActionCodec(load_rules(variant, players, options), max_bids)
        self.encoder: ObservationEncoder = ObservationEncoder(self.codec)
        observations, actions = make_spaces(self.codec, self.encoder)
        self.observation_space: gymnasium.spaces.Dict = observations
        self.action_space: gymnasium.Space[Any] = actions
        self.deals: int = deals
        self.reward_scale: float = reward_scale
        self.render_mode: str | None = render_mode
        self.opponents: str = opponents
        self.partner: str = partner or opponents
        for name in {self.opponents, self.partner}:
            bots.check(name, self.codec.rules)
        self._fixed_seat = seat
        self.seat: int = 0
        self.position: Position = Position.new(self.codec, deals=deals)
        self._bots: dict[int, bots.Player] = {}
        self._deals_rng = random.Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal again, and let the bots act until the learner is on turn."""
        super().reset(seed=seed)
        rules, draw = self.codec.rules, self.np_random
        self._deals_rng = random.Random(int(draw.integers(1 << 53)))
        bots_rng = random.Random(int(draw.integers(1 << 53)))
        self._close_bots()
        while True:
            self.seat = (
                int(draw.integers(rules.seats)) if self._fixed_seat is None else self._fixed_seat
            )
            dealer = int(draw.integers(rules.seats))
            self._bots = {
                seat: bots.make(self._bot_name(seat), random.Random(bots_rng.getrandbits(64)))
                for seat in range(rules.seats)
                if seat != self.seat
            }
            self.position = Position.new(self.codec, dealer=dealer, deals=self.deals)
            self._play_bots()
            if not self.position.is_over:  # else the learner had no decision in it
                return self._observe(), self._info()

    def _bot_name(self, seat: int) -> str:
        rules = self.codec.rules
        is_partner = rules.side_of(seat) == rules.side_of(self.seat)
        return self.partner if is_partner else self.opponents

    def _play_bots(self) -> None:
        """Deal the cards, and let the bots act, until the learner is on turn or all is over."""
        while not self.position.is_over and self.position.seat != self.seat:
            if self.position.is_chance:
                self.position = self.position.deal(self._deals_rng)
                continue
            decision = self.position.decision
            assert decision.seat is not None
            bot = self._bots[decision.seat]
            action = bot.choose(self.position.view(decision.seat), decision)
            self.position = self.position.act(action)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Apply the learner's action id, and let the bots act until it is on turn again."""
        if int(action) not in self.position.legal:
            return self._observe(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": True}
        self.position = self.position.apply(int(action))
        self._play_bots()
        is_over = self.position.is_over
        reward = self.position.returns()[self.seat] / self.reward_scale if is_over else 0.0
        return self._observe(), reward, is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which action ids are legal now, as learners with masked actions read it."""
        mask: npt.NDArray[np.bool_] = self._observe()["action_mask"].astype(np.bool_)
        return mask

    def _observe(self) -> dict[str, Any]:
        return observe(self.position, self.encoder, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "points": self.position.returns()[self.seat]}

    def render(self) -> str | None:
        """Return the actions of this deal as text, for the render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(str(step.action) for step in self.position.steps[1:])

    def _close_bots(self) -> None:
        for bot in self._bots.values():
            bots.close(bot)
        self._bots = {}

    def close(self) -> None:
        """Close the bots that are programs."""
        self._close_bots()


gymnasium.register(ID, entry_point="acesaround.envs.gymnasium_env:PinochleEnv")
