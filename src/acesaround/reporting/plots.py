"""Pictures of figures: the house's style, and the files they are written to.

Needs matplotlib, `pip install 'acesaround[plot]'`. Drawn without its global state, so it works in
any program.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from acesaround.errors import RulesError

FORMS: Final = ("png", "svg")
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73")  # Okabe and Ito's, which everyone tells apart
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
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "acesaround",  # the same numbers give the same bytes
}


def format_of(path: Path) -> str:
    """The form of a picture by the name of its file. Raises RulesError."""
    found = path.suffix.lower().removeprefix(".")
    if found not in FORMS:
        raise RulesError(f"{path} is no name for a plot: it must end in .png or .svg.")
    return found


def write(draw: Callable[[], Figure], out: IO[bytes], form: str) -> None:
    """Draw and write a picture in one of FORMS. Raises OSError."""
    with mpl.rc_context(_STYLE):
        draw().savefig(out, format=form, metadata={"Date": None} if form == "svg" else None)
