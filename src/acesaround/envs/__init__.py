"""Environments for reinforcement learning and game research, over one numbering of actions.

`ActionCodec` gives ids to the actions under some rules. A `Position` is a game in which each
decision is one such action id. `observations` turns what a seat knows into arrays. The adapters for
other libraries are modules of their own, because each needs an extra: `openspiel`, `pettingzoo_env`
and `gymnasium_env`. So is `vector_env`, which steps thousands of games at once.
"""

from acesaround.envs.action_codec import ActionCodec
from acesaround.envs.position import Position

__all__ = ["ActionCodec", "Position"]
