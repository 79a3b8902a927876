"""`python -m tools.allowed numpy matplotlib`: what pyproject.toml asks of these packages, a requirement a line.

The workflow hands this to uv, which finds the oldest and the newest versions that fit: the range is stated once.
"""

import re
import sys
import tomllib

from tools.environment import ROOT


def allowed(names, root=ROOT):
    """The requirement of pyproject.toml for each package named, such as "numpy>=2.0"."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    stated = {re.match(r"[\w.-]+", text).group(): text for texts in lists for text in texts}
    if unknown := [name for name in names if name not in stated]:
        raise SystemExit(
            f"pyproject.toml asks for no {', '.join(unknown)}; it asks for {', '.join(sorted(stated))}"
        )
    return [stated[name] for name in names]


if __name__ == "__main__":
    print("\n".join(allowed(sys.argv[1:])))
