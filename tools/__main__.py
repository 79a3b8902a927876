"""The book's commands. They set the environment up first, so that a fresh clone needs nothing but Python."""

import sys

from tools import pythons

if not pythons.fits():
    sys.exit(
        "This book needs {}; this is {}.{}.\n"
        "Use another one, for example: py -{newest} -m tools (Windows), python{newest} -m tools (elsewhere).".format(
            pythons.named(), *sys.version_info[:2], newest=pythons.versions()[0]
        )
    )

from tools import commands

sys.exit(commands.main())
