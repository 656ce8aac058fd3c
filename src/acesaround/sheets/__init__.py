"""Rule sheets: the rules of a game as a small TOML file that people write, keep and share.

* `fields` reads from `Rules` which fields a sheet can have; `format_values` formats their values.
* `parse` makes rules of a sheet; `derived_fields` adds the values that follow from others.
* `text_fields` checks titles and other texts that people read in lists.
* `errors`, `line_numbers`, `toml_errors` and `unused_values` say what is wrong, and on which line.
* `write` makes a sheet of rules; `diff` lists the differences between a game and its base.
* `schema` describes sheets to editors; `form` describes them to a page with a form.
"""

from acesaround.sheets.diff import change_sentences, changed_paths
from acesaround.sheets.errors import FolderError, SheetError, SheetFault
from acesaround.sheets.format_values import NONE
from acesaround.sheets.parse import Draft, draft, read
from acesaround.sheets.write import starter_sheet, write, write_values

__all__ = [
    "NONE",
    "Draft",
    "FolderError",
    "SheetError",
    "SheetFault",
    "change_sentences",
    "changed_paths",
    "draft",
    "read",
    "starter_sheet",
    "write",
    "write_values",
]
