"""Train a small network to beat random players, with NumPy only.

    python examples/train_vector_env.py --updates 60

The network plays one side, random players the others. It learns from the results of whole deals by
policy gradient (REINFORCE): every number it chose in a deal becomes more likely if the deal brought
more points than the average deal, and less likely otherwise. The program prints what the network
wins before, during and after training, on deals that it has not trained on.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from acesaround.envs.vector_env import VectorEnv

Floats = npt.NDArray[np.float32]
LEARNER_SIDE = 0


class Network:
    """A layer of hidden units, and a number for each action. Trained by Adam."""

    def __init__(self, inputs: int, hidden: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.weights: list[Floats] = [
            rng.normal(0, 1 / np.sqrt(inputs), (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions), np.float32),
            np.zeros(actions, np.float32),
        ]
        self._means = [np.zeros_like(one) for one in self.weights]
        self._squares = [np.zeros_like(one) for one in self.weights]
        self._updates = 0

    def probabilities(self, observations: Floats, masks: npt.NDArray[np.bool_]) -> Floats:
        """Return the probability of each action: (decisions, actions)."""
        return self._forward(observations, masks)[1]

    def _forward(self, observations: Floats, masks: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(observations @ first + first_bias, 0)
        logits = np.where(masks, hidden @ second + second_bias, -np.inf)
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, exponentials / exponentials.sum(axis=1, keepdims=True)

    def reinforce(self, decisions: Decisions, learning_rate: float) -> None:
        """Make numbers with a positive advantage more likely, the others less likely."""
        count = len(decisions.actions)
        hidden, probabilities = self._forward(decisions.observations, decisions.masks)
        by_logit = probabilities  # the gradient of the loss by each logit
        by_logit[np.arange(count), decisions.actions] -= 1
        by_logit *= decisions.advantages[:, None] / count
        by_hidden = (by_logit @ self.weights[2].T) * (hidden > 0)
        gradients = (
            decisions.observations.T @ by_hidden,
            by_hidden.sum(axis=0),
            hidden.T @ by_logit,
            by_logit.sum(axis=0),
        )
        self._updates += 1
        for weights, mean, square, gradient in zip(
            self.weights, self._means, self._squares, gradients, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased_mean = mean / (1 - 0.9**self._updates)
            unbiased_square = square / (1 - 0.999**self._updates)
            weights -= learning_rate * unbiased_mean / (np.sqrt(unbiased_square) + 1e-8)


class Decisions(NamedTuple):
    """Decisions of the learner, and how much better than average their deals went."""

    observations: Floats
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    advantages: Floats


class Player:
    """Chooses numbers for all games: the network for its side, random ones for the others."""

    def __init__(self, env: VectorEnv, network: Network, seed: int) -> None:
        rules = env.codec.rules
        self.env, self.network, self._rng = env, network, np.random.default_rng(seed)
        self._side_of_seat = np.array([rules.side_of(seat) for seat in range(rules.seats)])
        self.learner_seat = rules.sides[LEARNER_SIDE][0]

    def choose(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return a number for each game, and the games in which the network chose."""
        step, actions = self.env.last_step, self.env.sample_actions()
        games = np.flatnonzero(self._side_of_seat[step.seats] == LEARNER_SIDE)
        chances = self.network.probabilities(step.observations[games], step.action_masks[games])
        draws = self._rng.random((len(games), 1)) * (1 - 1e-6)
        actions[games] = (chances.cumsum(axis=1) <= draws).sum(axis=1)
        return actions, games


def collect(player: Player, steps: int) -> tuple[Decisions, float]:
    """Step all games; return the learner's decisions in deals that ended, and its mean reward."""
    env, deal_count = player.env, player.env.num_envs
    current_deal = np.arange(deal_count)  # the number of each game's deal, counted over all games
    rewards = np.full(deal_count * (steps + 1), np.nan, np.float32)  # of each deal
    kept: list[tuple[npt.NDArray[np.generic], ...]] = []
    for _ in range(steps):
        step = env.last_step
        actions, games = player.choose()
        kept.append(
            (  # copies: the next step overwrites the arrays
                step.observations[games],
                step.action_masks[games],
                actions[games],
                current_deal[games],
            )
        )
        step = env.step(actions)
        ended = np.flatnonzero(step.terminations)
        rewards[current_deal[ended]] = step.rewards[ended, player.learner_seat]
        current_deal[ended] = deal_count + np.arange(len(ended))
        deal_count += len(ended)
    observations, masks, numbers, deals = (
        np.concatenate(column) for column in zip(*kept, strict=True)
    )
    known = rewards[~np.isnan(rewards)]
    advantages = (rewards[deals] - known.mean()) / (known.std() + 1e-6)
    complete = ~np.isnan(advantages)
    decisions = Decisions(
        observations[complete], masks[complete], numbers[complete], advantages[complete]
    )
    return decisions, float(known.mean())


def measure_strength(player: Player, deals: int, seed: int) -> tuple[float, float]:
    """Return the mean points of the learner's side less the others', and its share of wins."""
    env = player.env
    env.reset(seed)
    leads: list[float] = []
    while len(leads) < deals:
        actions, _ = player.choose()
        step = env.step(actions)
        leads += (step.rewards[step.terminations, player.learner_seat] * env.reward_scale).tolist()
    lead = np.array(leads)
    return float(lead.mean()), float((lead > 0).mean() + (lead == 0).mean() / 2)


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and return the share of deals won against random players before and after."""
    parser = argparse.ArgumentParser(description="Train a network to beat random players.")
    parser.add_argument("--variant", default="partnership")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--games", type=int, default=256, help="games in step")
    parser.add_argument("--steps", type=int, default=160, help="steps of each update")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--learning-rate", type=float, default=0.003)
    parser.add_argument("--deals", type=int, default=2000, help="deals of each measurement")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    env = VectorEnv(options.games, options.variant)
    network = Network(env.encoder.size, options.hidden, env.codec.action_count, options.seed)
    player = Player(env, network, options.seed)
    test_seed, began = options.seed + 1_000_000, time.monotonic()
    lead, share_before = measure_strength(player, options.deals, test_seed)
    print(f"before: {lead:+.0f} points a deal, wins {share_before:.0%} of the deals")
    env.reset(options.seed)
    for update in range(1, options.updates + 1):
        decisions, reward = collect(player, options.steps)
        network.reinforce(decisions, options.learning_rate)
        if update % 10 == 0:
            points = reward * env.reward_scale
            print(f"update {update}: {points:+.0f} points a deal, {time.monotonic() - began:.0f} s")
    lead, share_after = measure_strength(player, options.deals, test_seed)
    print(f"after: {lead:+.0f} points a deal, wins {share_after:.0%} of the deals")
    return share_before, share_after


if __name__ == "__main__":
    main()
