"""The book's commands. They set the environment up first, so that a fresh clone needs nothing but Python."""

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        "This book needs Python 3.11, 3.12 or 3.13; this is {}.{}.\n"
        "Use another one, for example: py -3.13 -m tools (Windows), python3.13 -m tools (elsewhere).".format(
            *sys.version_info[:2]
        )
    )

from tools import commands

sys.exit(commands.main())
