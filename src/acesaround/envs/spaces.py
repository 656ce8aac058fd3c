"""The spaces of observations and actions that PettingZoo and Gymnasium share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from acesaround.envs.action_codec import ActionCodec
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.position import Position


def make_spaces(
    codec: ActionCodec, encoder: ObservationEncoder
) -> tuple[spaces.Dict, spaces.Discrete]:
    """Return the spaces of the observations and of the actions of one seat."""
    return (
        spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (encoder.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (codec.action_count,), np.int8),
            }
        ),
        spaces.Discrete(codec.action_count),
    )


def observe(position: Position, encoder: ObservationEncoder, seat: int) -> dict[str, Any]:
    """Return what a seat sees, and a mask of its legal action ids, all 0 unless it is on turn."""
    mask = np.zeros(position.codec.action_count, np.int8)
    if position.seat == seat:
        mask[list(position.legal)] = 1
    return {"observation": encoder.encode(position, seat), "action_mask": mask}
