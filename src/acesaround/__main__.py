"""Run the command `acesaround` as `python -m acesaround`."""

import sys

from acesaround.cli import main

sys.exit(main())
