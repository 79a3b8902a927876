"""Turned positions: the small figures."""

from __future__ import annotations

import numpy as np
import traitlets

from attn.attention import scaled_dot_product_attention
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.small.positional_encoding import DIMENSIONS, WORDS
from attn.masks import causal_mask
from attn.positional import angular_frequencies
from attn.rotary import rotate, to_layout

WIDTH = 64
REACH = 60
BACK = 20
#: The query, all ones, and two keys as they are before they are turned: the query itself, and turned to fit 20 back.
QUERY = np.ones(WIDTH)
CHOSEN = rotate(QUERY[None], BACK)[0]


class ScoreByOffset(Small):
    """The score of a query with turned keys against how far back they stand: two chosen keys, and the spread of all.

    Parameters
    ----------
    back : int in [0, 60]
        How many words before the query the key stands.
    """

    view = "score_by_offset"
    shows = (
        "Scores over how far back a key stands, as three curves: a key that is the query falls and swings, a key that "
        "was turned to fit peaks at 20, and the spread of keys of any direction stays level."
    )

    back = traitlets.Int(0, min=0, max=REACH).tag(sync=True, label="Words back", step=1)
    made_of = (
        made.curve(
            "score",
            "The score against how far back the key stands, as a share of its largest",
            x=(0, REACH),
            y=(0, 1),
            names=("all ones", "chosen", "spread"),
            axes=("words back", "share of the largest"),
            ticks=((0, 20, 40, 60), (0, 0.5, 1)),
            at="back",
        ),
    )

    def numbers(self) -> Numbers:
        def shares(back: np.ndarray) -> np.ndarray:
            turned = (rotate(np.tile(key, (len(back), 1)), -back) for key in (QUERY, CHOSEN))
            # Keys of any direction with variance 1 in each: the spread of their scores is the length of the query.
            spread = np.linalg.norm(rotate(np.tile(QUERY, (len(back), 1)), back), axis=-1)
            return np.stack([*(keys @ QUERY / WIDTH for keys in turned), spread / np.sqrt(WIDTH)])

        return {
            "score": shares(np.linspace(0, REACH, 4 * REACH + 1)),
            "score_now": shares(np.array([float(self.back)])),
        }


class LayersWithoutPlaces(Small):
    """What `man` becomes behind a causal mask, without positions, when the two words before it change places.

    Parameters
    ----------
    layers : {"one", "two"}
        How many layers of attention there are, each added to what came in.
    """

    view = "layers_without_places"
    shows = (
        "The four numbers of `man` behind causal attention without positions, as bars, after two words in either "
        "order."
    )

    layers = traitlets.Enum(("one", "two"), "one").tag(
        sync=True, label="Layers", options={"one": "one layer", "two": "two layers"}
    )
    made_of = (
        made.columns("forward", "dog bites man", names=DIMENSIONS, ends=(-1, 2.5), role="q"),
        made.columns("swapped", "bites dog man", names=DIMENSIONS, ends=(-1, 2.5), role="v"),
    )

    def numbers(self) -> Numbers:
        def last(words: np.ndarray) -> np.ndarray:
            for _ in range(1 + (self.layers == "two")):
                words = words + scaled_dot_product_attention(words, words, words, causal_mask(len(words)))[0]
            return words[-1:]

        return {"forward": last(WORDS), "swapped": last(WORDS[[1, 0, 2]])}


SPAN = 20
APART = 3
#: A query and a key of eight numbers, as they are before they are turned.
ASKS = np.array([0.0, -2, 1, 2, 1, -2, -2, 1])
ASKED = np.array([-2.0, -2, 0, -1, -1, 0, -1, 1])


def _rows(x: np.ndarray, count: int) -> np.ndarray:
    return np.tile(x, (count, 1))


def _two_angles(x: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Neighbors as pairs, and the list of angles repeated as a whole: the two numbers of a pair turn by two angles."""
    angles = np.multiply.outer(places, np.tile(angular_frequencies(len(x)), 2))
    x = _rows(x, len(places))
    partner = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + partner * np.sin(angles)


class MovedTogether(Small):
    """The score of two words three apart, in three programs, while both words move on.

    Parameters
    ----------
    start : int in [0, 20]
        Where the first of the two words stands.
    """

    view = "moved_together"
    shows = (
        "Scores over the place of the first word, as three curves: paired by halves it stays, turned the other way it "
        "stays, and with two angles in a pair it swings."
    )

    start = traitlets.Int(0, min=0, max=SPAN).tag(sync=True, label="Both words start at", step=1)
    made_of = (
        made.curve(
            "score",
            "The score of a query with a key three words before it, against where the key stands",
            x=(0, SPAN),
            y=(-9, 9),
            names=("halves", "mixed up", "other way"),
            axes=("place of the first word", "score"),
            ticks=((0, 5, 10, 15, 20), (-8, -4, 0, 4, 8)),
            at="start",
        ),
    )

    def numbers(self) -> Numbers:
        def scores(first: np.ndarray) -> np.ndarray:
            asks, asked = _rows(ASKS, len(first)), _rows(ASKED, len(first))
            pairs = (
                (rotate(asks, first + APART, layout="halves"), rotate(asked, first, layout="halves")),
                (_two_angles(ASKS, first + APART), _two_angles(ASKED, first)),
                (rotate(asks, -first - APART), rotate(asked, -first)),
            )
            return np.stack([(q * k).sum(axis=1) for q, k in pairs])

        return {
            "score": scores(np.linspace(0, SPAN, 4 * SPAN + 1)),
            "score_now": scores(np.array([float(self.start)])),
        }


class LoadedWeights(Small):
    """Scores of weights trained with neighbors as pairs, in code that pairs halves, as they are and reordered.

    Parameters
    ----------
    back : int in [0, 20]
        How many words before the query the key stands.
    """

    view = "loaded_weights"
    shows = (
        "Scores over how far back a key stands, as three curves: in the code of training, in code of another layout, "
        "where they agree at 0 and then part, and there with reordered columns, where they are those of training."
    )

    back = traitlets.Int(0, min=0, max=SPAN).tag(sync=True, label="Words back", step=1)
    made_of = (
        made.curve(
            "score",
            "The score against how far back the key stands, in the code of training and in code of another layout",
            x=(0, SPAN),
            y=(-9, 9),
            names=("trained", "loaded", "reordered"),
            axes=("words back", "score"),
            ticks=((0, 5, 10, 15, 20), (-8, -4, 0, 4, 8)),
            at="back",
        ),
    )

    def numbers(self) -> Numbers:
        def scores(back: np.ndarray) -> np.ndarray:
            def of(q: np.ndarray, k: np.ndarray, layout: str) -> np.ndarray:
                return rotate(_rows(k, len(back)), -back, layout=layout) @ q

            q, k = (to_layout(x, "interleaved", "halves") for x in (ASKS, ASKED))
            return np.stack([of(ASKS, ASKED, "interleaved"), of(ASKS, ASKED, "halves"), of(q, k, "halves")])

        return {
            "score": scores(np.linspace(0, SPAN, 4 * SPAN + 1)),
            "score_now": scores(np.array([float(self.back)])),
        }
