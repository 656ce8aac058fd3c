"""All games as PettingZoo environments, in which every seat is an agent. Needs `pettingzoo`.

`env(variant="double-deck")` returns one. Each observation is a dict with two arrays: observation,
numbers from -1 to 1, and action_mask, 1 for each action id that is legal. No agent deals the cards.
At the end each agent is rewarded with the points of its side less the mean of the other sides,
divided by `reward_scale`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from acesaround.envs.action_codec import MAX_BIDS, ActionCodec
from acesaround.envs.load_rules import load_rules
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.position import REWARD_SCALE, Position
from acesaround.envs.spaces import make_spaces, observe
from acesaround.rules import Rules
from acesaround.variants import DEFAULT_VARIANT


class PinochleAECEnv(AECEnv):  # type: ignore[misc]
    """A game with an agent for each seat: seat_0, seat_1 and so on.

    The arguments are those of `acesaround.envs.load_rules`. `deals`: the deals of an episode.
    An illegal action id raises ValueError and leaves the position as it was.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo reads it from the class
        "name": "acesaround_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        variant: str | Rules = DEFAULT_VARIANT,
        players: int | None = None,
        options: str | Mapping[str, object] = "",
        *,
        deals: int = 1,
        max_bids: int = MAX_BIDS,
        reward_scale: float = REWARD_SCALE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.codec: ActionCodec = ActionCodec(load_rules(variant, players, options), max_bids)
        self.encoder: ObservationEncoder = ObservationEncoder(self.codec)
        self.deals: int = deals
        self.reward_scale: float = reward_scale
        self.render_mode: str | None = render_mode
        self.possible_agents: list[str] = [f"seat_{seat}" for seat in range(self.codec.rules.seats)]
        self.agents: list[str] = []
        self._spaces = {
            agent: make_spaces(self.codec, self.encoder) for agent in self.possible_agents
        }
        self._rng = random.Random()
        self.position: Position = Position.new(self.codec, deals=deals)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal again. `seed`: of all deals until the next seed; the dealer is drawn too."""
        if seed is not None:
            self._rng = random.Random(seed)
        dealer = self._rng.randrange(self.codec.rules.seats)
        self.position = Position.new(self.codec, dealer=dealer, deals=self.deals).deal(self._rng)
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select_agent()

    def _select_agent(self) -> None:
        while self.position.is_chance:
            self.position = self.position.deal(self._rng)
        seat = self.position.seat
        self.agent_selection: str = self.possible_agents[0 if seat is None else seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and which of its actions are legal now."""
        seat = self.possible_agents.index(agent)
        return observe(self.position, self.encoder, seat)

    def step(self, action: int | None) -> None:
        """Apply an action id for the agent on turn. Raises ValueError if it is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} is on turn and needs an action, not None")
        self.position = self.position.apply(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._select_agent()
        if self.position.is_over:
            for agent, points in zip(self.possible_agents, self.position.returns(), strict=True):
                self.rewards[agent] = points / self.reward_scale
                self.terminations[agent] = True
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the actions of this deal as text, for the render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(str(step.action) for step in self.position.steps[1:])

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def env(**arguments: Any) -> PinochleAECEnv:
    """Return an environment; the arguments are those of `PinochleAECEnv`."""
    return PinochleAECEnv(**arguments)
