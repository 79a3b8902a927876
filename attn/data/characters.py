"""A small trained model of this book's own letters, and what its heads look at (a further page of chapter 4).

`python -m research.character_model` trains it and makes the file; tests repeat a part of that.
"""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attn._arrays import Floats, Ints
from attn.data.corpus import book
from attn.softmax import log_softmax
from attn.transformer import Layer, Transformer, layer_norm

VOCABULARY = " 'abcdefghijklmnopqrstuvwxyz"
CONTEXT = 32  # characters that the model was trained to see at once
LAYERS, HEADS = 2, 4
#: What a head's weights are added up over, of the places that a query may look at.
PLACES = ("itself", "one back", "two back", "three back", "first", "last space", "same before", "after same")
FILE = Path(__file__).resolve().parent / "characters.npz"


class Looks(NamedTuple):
    """What the heads of the models from several seeds look at, on held-back text.

    Attributes
    ----------
    seeds : (n_seeds,) array
    weights : (n_seeds, layers * heads, places) array
        The mean weight on each of `PLACES`.
    chance : (places,) array
        The same for a head that looks at all it may see alike.
    losses : (n_seeds,) array
        Mean −ln p(next character), in nats.
    early : (n_seeds,) array
        The loss of training step 50.
    """

    seeds: Ints
    weights: Floats
    chance: Floats
    losses: Floats
    early: Floats


def encode(text: str) -> Ints:
    """Return the characters of `text` as places in `VOCABULARY`, (n,).

    Raises
    ------
    ValueError
        If it has a character that the vocabulary does not: the model knows lower-case letters, the apostrophe and
        the space.
    """
    unknown = sorted(set(text) - set(VOCABULARY))
    if unknown:
        raise ValueError(f"text must hold lower-case letters, apostrophes and spaces, got {unknown[0]!r}")
    return np.array([VOCABULARY.index(character) for character in text], dtype=int)


def trained_on() -> Ints:
    """Return the first nine tenths of the book's frozen prose, encoded."""
    text = _text()
    return text[: len(text) * 9 // 10]


def held_back() -> Ints:
    """Return the last tenth, which no training saw, cut into windows: (n_windows, CONTEXT + 1)."""
    text = _text()[len(_text()) * 9 // 10 :]
    n = len(text) // (CONTEXT + 1)
    return text[: n * (CONTEXT + 1)].reshape(n, CONTEXT + 1)


def trained_weights() -> dict[str, NDArray[np.float16]]:
    """Return the weights of the model that was trained from seed 0, as they are stored, in float16.

    Returns
    -------
    weights : dict of str to array
        30 arrays: "embedding" (28, 32), "places" (32, 32), for layer 1 "0.w_q" (4, 32, 8), … and "1.w_q" … for layer
        2, "gain" and "bias" (32,), "unembedding" (32, 28), "b_u" (28,). `from_arrays` makes a model of them.
    """
    return {name: array for name, array in _file().items() if array.dtype == np.float16}


def trained_model() -> Transformer:
    """Return the model that was trained from seed 0: two layers of four heads, d_model = 32, in float64."""
    return from_arrays(trained_weights())


def recorded_looks() -> Looks:
    """Return what the heads of the models from all recorded seeds look at on the held-back text."""
    file = _file()
    looks, losses, early = (file[name].astype(float) for name in ("looks", "losses", "early"))
    return Looks(_file()["seeds"], looks, uniform_looks(held_back()), losses, early)


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Transformer:
    """Return the model whose weights are stored under these names, such as "0.w_q" for layer 1."""
    w = {name: np.asarray(value, dtype=float) for name, value in arrays.items()}
    layers = []
    for i in range(LAYERS):
        own: dict[str, Any] = {
            name.partition(".")[2]: value for name, value in w.items() if name.startswith(f"{i}.")
        }
        norms = [partial(layer_norm, gain=own.pop(f"gain_{j}"), bias=own.pop(f"bias_{j}")) for j in (1, 2)]
        layers.append(Layer(**own, norm="pre", norm_1=norms[0], norm_2=norms[1]))
    norm = partial(layer_norm, gain=w["gain"], bias=w["bias"])
    return Transformer(w["embedding"], layers, w["unembedding"], w["places"], w["b_u"], norm)


def look_where(model: Transformer, windows: Ints) -> tuple[float, Floats]:
    """Return the mean loss on windows (n, CONTEXT + 1) of text, and each head's mean weight on each of `PLACES`."""
    run = model(windows[:, :-1])
    log_p = log_softmax(run.logits)
    loss = -np.take_along_axis(log_p, windows[:, 1:, None], axis=-1).mean()
    return float(loss), np.array([_on_places(weights, windows[:, :-1]) for weights in run.weights])


def uniform_looks(windows: Ints) -> Floats:
    """Return the mean weight on each of `PLACES` of a head that looks at all it may see alike: chance."""
    n = windows.shape[1] - 1
    even = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    return _on_places(np.broadcast_to(even, (len(windows), n, n)), windows[:, :-1])


def _on_places(weights: Floats, seen: Ints) -> Floats:
    """Mean weight on each of PLACES, over the queries that have such a place: weights (b, n, n), seen (b, n)."""
    n = seen.shape[1]
    back = [np.diagonal(weights, -j, axis1=1, axis2=2).mean() for j in range(4)]
    key = np.arange(n)
    spaces = np.where(seen == VOCABULARY.index(" "), key, -1)
    last = np.maximum.accumulate(spaces, axis=1)
    alike = (seen[:, :, None] == seen[:, None, :]) & (key < key[:, None])
    same = np.where(alike, key, -1).max(axis=2)
    after = np.where(same >= 0, same + 1, -1)

    def on(place: Ints) -> float:
        found = np.take_along_axis(weights, np.maximum(place, 0)[..., None], axis=2)[..., 0]
        return float(found[place >= 0].mean())

    return np.array([*back, weights[:, 1:, 0].mean(), on(last), on(same), on(after)])


@cache
def _text() -> Ints:
    return encode(" ".join(book()))


@cache
def _file() -> dict[str, Any]:
    with np.load(FILE) as arrays:
        return {name: arrays[name] for name in arrays}
