"""A two-layer model of repeated letters, trained from twelve seeds: where do its induction heads come from?

Each text is a row of random letters that starts over again and again; how many letters come before it starts over is
drawn anew for each text. So the first time round nothing can be guessed, and afterwards everything can, but only by
looking back to where the same letters stood before. `research/repeats_runs.py` trains the models and stores what
`recorded` returns.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn._arrays import Floats, Ints
from attn.data.characters import VOCABULARY, from_arrays
from attn.transformer import Transformer

FILE = Path(__file__).resolve().parent / "repeats.npz"
LENGTH = 33  # letters of a text: 32 are read, and each is followed by one to guess
SHORTEST, LONGEST = 6, 16  # letters before a text starts over


OFFSETS = range(-3, 5)  # places after the earlier copy of the present letter, whose weights are recorded


class Repeats(NamedTuple):
    """What was recorded of all runs. A head's number is 4 · (its layer − 1) + its place in the layer, 0 to 7.

    Attributes
    ----------
    seeds : (n_runs,) array of int
    steps : (n_steps,) array of int
        The steps of training at which was measured.
    new, again : (n_runs, n_steps) arrays
        Mean loss in nats on letters of the first time round, and on all later ones.
    induction, previous : (n_runs, n_steps, 8) arrays
        Each head's prefix matching score (`attn.induction.induction_score`), and its mean weight on the letter before.
    offsets : (n_runs, 8, 8) array
        At the end, for each head: its mean weight, in later rounds, on the places `OFFSETS` after the present letter's
        copy one round earlier. An induction head's is at 1.
    by_place : (n_runs, 26) array
        At the end: mean loss on the letter that is guessed after j letters of the second time round were read.
    without : (n_runs, 2, 8) array
        At the end: the loss on repeated letters with a head's share set to zero, and to its mean.
    """

    seeds: Ints
    steps: Ints
    new: Floats
    again: Floats
    induction: Floats
    previous: Floats
    offsets: Floats
    by_place: Floats
    without: Floats


def repeated(rng: np.random.Generator, n: int) -> tuple[Ints, Ints]:
    """Draw texts of random letters that start over.

    Returns
    -------
    texts : (n, LENGTH) array of int
        Places in `VOCABULARY`.
    periods : (n,) array of int
        After how many letters each text starts over, SHORTEST to LONGEST.
    """
    periods = rng.integers(SHORTEST, LONGEST + 1, n)
    letters = rng.integers(0, len(VOCABULARY), (n, LONGEST))
    return np.take_along_axis(letters, np.arange(LENGTH) % periods[:, None], axis=1), periods


def trained_on_repeats() -> Transformer:
    """Return the model that was trained from seed 0: two layers of four heads, d_model = 32, in float64."""
    return from_arrays({name: array for name, array in _file().items() if array.dtype == np.float16})


def recorded() -> Repeats:
    """Return what was recorded of the runs from all seeds."""
    file = _file()
    return Repeats(
        *(
            file[name] if file[name].dtype.kind == "i" else file[name].astype(float)
            for name in Repeats._fields
        )
    )


@cache
def _file() -> dict[str, np.ndarray]:
    with np.load(FILE) as arrays:
        return {name: arrays[name] for name in arrays}
