"""Turned positions: the small figures."""

from __future__ import annotations

import numpy as np
import traitlets

from attn.attention import scaled_dot_product_attention
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.small.positional_encoding import DIMENSIONS, WORDS
from attn.masks import causal_mask
from attn.rotary import rotate

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
