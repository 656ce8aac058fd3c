"""Plots: their common style, and the files they are written to.

Needs matplotlib, `pip install 'acesaround[plot]'`. Plots do not use its global state, so this works
in any program.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from acesaround.errors import RulesError

IMAGE_FORMATS: Final = ("png", "svg")
BAR_COLOURS: Final = ("#0072B2", "#E69F00", "#009E73")  # Okabe and Ito's, for colour-blind readers
_STYLE: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "font.size": 10,
    "grid.color": "#dddddd",
    "svg.fonttype": "none",  # keep text as text
    "svg.hashsalt": "acesaround",  # makes the files reproducible
}


def format_of(path: Path) -> str:
    """Return the format of a plot from the name of its file. Raise RulesError."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in IMAGE_FORMATS:
        raise RulesError(f"{path} is not a name for a plot: it must end in .png or .svg.")
    return suffix


def write_figure(draw: Callable[[], Figure], out: IO[bytes], image_format: str) -> None:
    """Draw a plot and write it in one of IMAGE_FORMATS. Raise OSError."""
    with mpl.rc_context(_STYLE):
        draw().savefig(
            out, format=image_format, metadata={"Date": None} if image_format == "svg" else None
        )
