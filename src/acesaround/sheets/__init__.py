"""Rule sheets: the rules of a game as a small TOML file that people write, keep and share.

`fields` reads off `Rules` what a sheet can say, `reading` makes rules of a sheet, `following` adds
what need not be said, `words` says whether others can read a text, `faults`, `lines` and
`unreadable` say what is wrong and where, `writing` makes a sheet of rules, `schema` describes
sheets to editors, `form` to a page on which they are filled in.
"""

from acesaround.sheets.diff import changed, changes
from acesaround.sheets.errors import FolderError, SheetError, Wrong
from acesaround.sheets.format_values import NONE
from acesaround.sheets.parse import Draft, draft, read
from acesaround.sheets.write import start, write, written_out

__all__ = [
    "NONE",
    "Draft",
    "FolderError",
    "SheetError",
    "Wrong",
    "changed",
    "changes",
    "draft",
    "read",
    "start",
    "write",
    "written_out",
]
