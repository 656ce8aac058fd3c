"""`python -m acesaround` is the command `acesaround`."""

import sys

from acesaround.cli import main

sys.exit(main())
