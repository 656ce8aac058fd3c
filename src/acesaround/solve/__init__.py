"""Any position of the play solved with all hands known: `acesaround solve`.

`place` finds the position, in a record or from hands that were typed; `solution` asks the solver;
`page` shows the answer, to people and to programs.
"""

from acesaround.solve.place import Place, recorded, typed
from acesaround.solve.solution import Effort, Solution, solve

__all__ = ["Effort", "Place", "Solution", "recorded", "solve", "typed"]
