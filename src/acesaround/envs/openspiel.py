"""All games as the OpenSpiel game `python_acesaround`, which importing this module registers.

`pyspiel.load_game("python_acesaround", {"variant": "double-deck"})` loads one. Needs the extra
`openspiel`. Parameters:

* `variant`: the name of a game, or the path of a rule sheet.
* `players`: the number of players; 0, the default, is the usual one.
* `options`: options as on the command line, such as "target=100,exchange=3".
* `deals`: the number of deals of a game, 1 by default.
* `max_bids`: the number of bids that have an action id.

Chance deals the shuffled deck card by card. The returns are the points of a player's side less the
mean of the other sides.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pyspiel

from acesaround.cards import CARDS, KIND_COUNT, SUITS
from acesaround.envs.action_codec import MAX_BIDS, ActionCodec
from acesaround.envs.load_rules import load_rules
from acesaround.envs.observations import Floats, HistoryEncoder, ObservationEncoder
from acesaround.envs.position import Position
from acesaround.rules import Rules
from acesaround.rules.melds import find_melds, total_points
from acesaround.rules.number_limits import MAX_SEATS
from acesaround.variants import DEFAULT_VARIANT

SHORT_NAME: Final = "python_acesaround"
_DEFAULTS: Final = {
    "variant": DEFAULT_VARIANT, "players": 0, "options": "", "deals": 1, "max_bids": MAX_BIDS,
}  # fmt: skip
_GAME_TYPE: Final = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Pinochle (Aces Around)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class AcesAroundGame(pyspiel.Game):  # type: ignore[misc]
    """A variant as an OpenSpiel game. `codec`: its numbering of actions."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        rules = load_rules(given["variant"], given["players"] or None, given["options"])
        self.codec: ActionCodec = ActionCodec(rules, given["max_bids"])
        self.deals: int = given["deals"]
        bound = float(_max_points(rules, self.codec) * self.deals)
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.codec.action_count,
                max_chance_outcomes=KIND_COUNT,
                num_players=rules.seats,
                min_utility=-bound,
                max_utility=bound,
                utility_sum=0.0,
                max_game_length=_max_decisions(rules, self.codec) * self.deals,
            ),
            params or {},
        )

    def new_initial_state(self) -> AcesAroundState:
        """Return the state before the first card is dealt."""
        return AcesAroundState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> AcesAroundObserver:
        """Return an observer of what one player knows. Raises ValueError for another kind."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return AcesAroundObserver(self.codec, kind, params)


class AcesAroundState(pyspiel.State):  # type: ignore[misc]
    """A state of the game. `position`: the same as a `Position`."""

    def __init__(self, game: AcesAroundGame) -> None:
        super().__init__(game)
        self.position: Position = Position.new(game.codec, deals=game.deals)

    def current_player(self) -> int:
        """Return the player on turn, or the number of chance or of the end."""
        seat = self.position.seat
        if seat is not None:
            return seat
        players = pyspiel.PlayerId
        return int(players.TERMINAL if self.position.is_over else players.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal) if player == self.position.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the kinds of cards that may be dealt next, with their probabilities."""
        return self.position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {CARDS[action]}"
        return self.position.codec.name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return the points of each player's side less the mean of the other sides."""
        return (
            list(self.position.returns()) if self.position.is_over else [0.0] * self.num_players()
        )

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> AcesAroundState:
        """Return a random state that a player cannot tell from this one."""
        from acesaround.envs.resampling import resample  # it compiles the sampler

        rng = random.Random(int(probability_sampler() * (1 << 53)))
        action_ids = resample(self.position, player_id, rng).numbers_of_deal()
        earlier = self.history()[: -len(self.position.numbers_of_deal())]
        state = AcesAroundState(self.get_game())
        for action_id in (*earlier, *action_ids):
            state.apply_action(action_id)
        return state

    def __str__(self) -> str:
        position = self.position
        if position.dealt:
            return f"dealt {' '.join(map(str, position.dealt))}"
        return "\n".join(
            [
                *(f"{step.action}" for step in position.steps),
                " ".join(["chosen", *map(str, position.chosen)]),
            ]
        )


class AcesAroundObserver:
    """Observes what one player knows: with perfect recall the history, else the present."""

    def __init__(
        self,
        codec: ActionCodec,
        kind: pyspiel.IIGObservationType,
        params: dict[str, Any] | None = None,
    ) -> None:
        if params:
            raise ValueError(f"observations have no parameters, but got {params}")
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("only what one player knows can be observed")
        self._recalls = kind.perfect_recall
        self._encoder: HistoryEncoder | ObservationEncoder = (
            HistoryEncoder(codec) if self._recalls else ObservationEncoder(codec)
        )
        shape = (
            self._encoder.shape
            if isinstance(self._encoder, HistoryEncoder)
            else (self._encoder.size,)
        )
        self.tensor: Floats = np.zeros(int(np.prod(shape)), np.float32)
        self.dict: dict[str, Floats] = {
            "history" if self._recalls else "observation": self.tensor.reshape(shape)
        }

    def set_from(self, state: AcesAroundState, player: int) -> None:
        """Fill the tensor with what a player knows in a state."""
        self.tensor[:] = self._encoder.encode(state.position, player).ravel()

    def string_from(self, state: AcesAroundState, player: int) -> str:
        """Return what a player knows in a state, as text."""
        if self._recalls:
            return state.position.information_state(player)
        chosen = " ".join(map(str, state.position.chosen_by(player)))
        return f"{state.position.view(player)}\nchosen {chosen}"


def _max_points(rules: Rules, codec: ActionCodec) -> int:
    """Return more points than a side can win or lose in a deal."""
    melds = max(total_points(find_melds(rules.melds, rules.deck.packed, suit)) for suit in SUITS)
    highest_bid = codec.bids[-1] if codec.bids else 0
    return 10 * (melds + highest_bid + 1000)


def _max_decisions(rules: Rules, codec: ActionCodec) -> int:
    """Return more decisions than a deal can have."""
    return 4 * rules.deck.size + len(codec.bids) + 10 * rules.seats


pyspiel.register_game(_GAME_TYPE, AcesAroundGame)
