"""Which Pythons the book's environment takes: those that .python-versions names, the newest first.

`python -m tools.pythons` prints them for the workflow. Whatever Python somebody starts the commands with reads this
file, so it keeps to what old ones understand.
"""

import json
import os
import sys

FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".python-versions")


def versions():
    """Return them as text, one like "3.13" each."""
    with open(FILE) as file:
        lines = [line.strip() for line in file]
    return [line for line in lines if line and not line.startswith("#")]


def named():
    """Return them in words: "Python … or …", the newest last."""
    *most, newest = reversed(versions())
    return "Python {} or {}".format(", ".join(most), newest) if most else "Python " + newest


def fits(version=sys.version_info):
    """Whether a Python is one of them, by its version_info."""
    return "{}.{}".format(*version[:2]) in versions()


if __name__ == "__main__":
    rising = versions()[::-1]
    print(f"all={json.dumps(rising)}\noldest={rising[0]}\nnewest={rising[-1]}")
