"""A trained model at work on a sentence of the reader's own: whom each letter looks at, and what comes next."""

import base64
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn.data.characters import CONTEXT, HEADS, LAYERS, VOCABULARY, encode, trained_model, trained_weights
from attn.explore._base import Axes, Figure, Opening, step
from attn.masks import causal_mask
from attn.softmax import log_softmax, softmax
from attn.transformer import Run

FEWEST, MOST = 2, 24  # letters; the model was trained to see up to CONTEXT = 32
SHOWN = 5  # how many of the letters that may come next
ALL = tuple(f"{layer}.{head}" for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1))
assert MOST <= CONTEXT


@cache
def packed() -> dict[str, Any]:
    """The weights of `attn.data.characters.trained_weights` for a page: their shapes, and all numbers in one text.

    Returns
    -------
    dict
        ``shapes``: the name and the shape of each array, in order: a list, since a stored notebook has the keys of a
        dict in another order. ``halves``: their numbers one after the other, two bytes each (float16, little-endian),
        in base64: 53 KB.
    """
    weights = trained_weights()
    numbers = b"".join(array.astype("<f2").tobytes() for array in weights.values())
    return {
        "shapes": [[name, list(array.shape)] for name, array in weights.items()],
        "halves": base64.b64encode(numbers).decode("ascii"),
    }


@cache
def _run(text: str) -> Run:
    return trained_model()(encode(text))


class ReadAlong(Opening):
    """Type a text and see, for each letter, whom the heads of a trained model look at and what it expects next.

    Parameters
    ----------
    text : str
        2 to 24 letters: small ones, the apostrophe and the space.
    head : {"1.1", …, "1.4", "2.1", …, "2.4"}
        Whose weights are shown: the layer, then the head.
    asks : int in [0, 23]
        Which letter asks, from 0; in a shorter text, the last one.
    """

    shows = (
        "Whom one letter of a text looks at, as bars, and the five letters that a trained model expects next"
    )

    trained = traitlets.Dict().tag(sync=True, state=False)
    head = traitlets.Enum(ALL, "1.1").tag(
        sync=True, label="Layer and head", options={name: name.replace(".", "·") for name in ALL}
    )
    text = traitlets.Unicode("the question is why").tag(sync=True, label="Your sentence")
    asks = traitlets.Int(18, min=0, max=MOST - 1).tag(sync=True, label="Who looks", step=1)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trained": packed()} | kwargs)

    @traitlets.validate("text")
    def _known_text(self, proposal: Any) -> str:
        text = proposal.value
        if not FEWEST <= len(text) <= MOST:
            raise traitlets.TraitError(f"text must have {FEWEST} to {MOST} letters, got {len(text)}")
        try:
            encode(text)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return text

    def limits(self) -> dict[str, list | None]:
        return {"text": ["text", VOCABULARY, FEWEST, MOST]}

    def steps_of_lecture(self) -> list[dict]:
        return [
            step("one-head", "Layer 1, head 1, at the last letter. Is it looking at one place?"),
            step("one-back", "Head 3 of layer 1. Whom does the last letter look at now?", head="1.3"),
            step("a-q", "After a q: how sure is it of the next letter?", head="1.3", asks=4),
            step("a-space", "After a space: how sure can it be?", head="1.3", asks=12),
            step("far", "Head 1 of layer 2: how far back does the last letter look?", head="2.1"),
        ]

    @property
    def at(self) -> int:
        """The place of the letter that asks."""
        return min(self.asks, len(self.text) - 1)

    def run(self) -> Run:
        """What the model does with the text: ``figure.run().weights`` are eight (n, n) arrays."""
        return _run(self.text)

    @property
    def weights(self) -> np.ndarray:
        """What the chosen head looks at in the whole text: (n, n), rows ask."""
        return self.run().weights[ALL.index(self.head)]

    def matrices(self) -> dict[str, np.ndarray]:
        run = self.run()
        chances = np.sort(softmax(run.logits[self.at]))[::-1]
        each = {f"weights_{name.replace('.', '_')}": w for name, w in zip(ALL, run.weights, strict=True)}
        return {"weights": self.weights[self.at][None], "expects": chances[:SHOWN, None]} | each

    def expected(self) -> list[str]:
        """The five letters that it expects most after the one that asks, the most probable first."""
        order = np.argsort(-self.run().logits[self.at], kind="stable")
        return [VOCABULARY[letter] for letter in order[:SHOWN]]

    def scalars(self) -> dict[str, float]:
        tokens = encode(self.text)
        log_p = log_softmax(self.run().logits)
        return {"loss": float(-log_p[np.arange(len(tokens) - 1), tokens[1:]].mean())}

    def alt_text(self) -> str:
        row = self.weights[self.at]
        whom = int(row.argmax())
        return (
            f"The text {self.text!r}: in layer {self.head[0]}, head {self.head[2]}, the letter {self.text[self.at]!r} "
            f"at place {self.at} gives most weight, {row[whom]:.2f}, to {self.text[whom]!r} at place {whom}. Next the "
            f"model expects {self.expected()[0]!r}, with {self.matrices()['expects'][0, 0]:.2f}."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        axes: dict[str, Axes] = figure.subplot_mosaic([["weights", "expects"]], width_ratios=[3, 1])
        figure.set_size_inches(6.4, 4.6)
        letters = [letter.replace(" ", "_") for letter in self.text]
        mask = causal_mask(len(letters))
        title = f"layer {self.head[0]}, head {self.head[2]}"
        plots.weights(axes["weights"], self.weights, mask=mask, rows=letters, columns=letters, title=title)
        chances = self.matrices()["expects"]
        names = [letter.replace(" ", "_") for letter in self.expected()]
        plots.weights(
            axes["expects"], chances, rows=names, columns=["next"], title=f"after {letters[self.at]}"
        )
