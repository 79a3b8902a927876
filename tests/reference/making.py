"""What the makers of golden vectors share. Each make_*.py is run by hand, in an environment of its own:

    python -m venv torchenv
    torchenv/bin/pip install torch==2.13.0 numpy
    torchenv/bin/python tests/reference/make_golden.py

The files in the repository were made so, with PyTorch 2.13.0 (CPU, float64). Tests read them, and never import torch.
"""

from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent


class Golden(dict):
    """Arrays by name, which become a file."""

    def keep(self, name, **tensors):
        for key, value in tensors.items():
            tensor = isinstance(value, torch.Tensor)
            self[f"{name}/{key}"] = value.detach().numpy() if tensor else np.asarray(value)

    def save(self, name):
        version = np.array(torch.__version__.partition("+")[0])
        np.savez_compressed(HERE / f"{name}.npz", torch_version=version, **self)


def draw(rng, *shape, size=1.0, decimals=None):
    """Normal numbers; those of two decimals keep a file small."""
    drawn = rng.normal(scale=size, size=shape)
    return torch.from_numpy(drawn if decimals is None else np.round(drawn, decimals))
