"""Golden vectors as tests read them. The makers beside this file wrote them, with PyTorch: making.py."""

from pathlib import Path

import numpy as np


class Golden:
    """The arrays of a file, by name; a case has those of its own below a stroke."""

    def __init__(self, name):
        with np.load(Path(__file__).with_name(f"{name}.npz")) as file:
            self.arrays = dict(file)

    def case(self, name):
        start = f"{name}/"
        return {key.removeprefix(start): one for key, one in self.arrays.items() if key.startswith(start)}

    def cases(self, key):
        """The names of all cases that have an array of this name."""
        return sorted({name.rpartition("/")[0] for name in self.arrays if name.endswith(f"/{key}")})
