"""Chapter 9: how the drawn network is learned, step by step: what both layers look at, and how ten seeds fare."""

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn.explore._base import Axes, Figure, Opening, step
from attn.induction import LENGTH, N_TOKENS, REPEATED, Blocks
from attn.masks import causal_mask
from attn.transformer import Run

#: `python -m research.induction_runs` makes it.
FILE = Path(__file__).resolve().parent.parent / "data" / "induction_runs.json"
LETTERS = ("BOS", *"ABCDEFGHIJ")
AGAIN = tuple(str(n) for n in REPEATED)
#: The words of the sentence, before some of them come again.
ORDER = (3, 8, 1, 6, 10, 2, 5, 9)


@cache
def runs() -> dict[str, Any]:
    """The stored runs: loss and accuracy of each seed at `steps`, and the blocks of the first, in hundredths.

    Returns
    -------
    dict
        ``steps`` (m), ``seeds`` (10), ``loss`` and ``accuracy`` (10 lists of m), and ``look``, ``match``, ``say``: m
        lists of whole numbers, 78, 121 and 121. `look` has the entries that a causal mask leaves.
    """
    return json.loads(FILE.read_text(encoding="utf-8"))


def blocks_at(history: dict[str, Any], record: int) -> Blocks:
    """The three blocks at a record, as they were stored.

    Parameters
    ----------
    history : dict
        Of :func:`runs`.
    record : int
        An index into its steps.
    """
    look = np.zeros((LENGTH, LENGTH))
    look[np.tril_indices(LENGTH)] = history["look"][record]
    match, say = (
        np.reshape(history[name][record], (N_TOKENS + 1, N_TOKENS + 1)).astype(float)
        for name in ("match", "say")
    )
    return Blocks(look / 100, match / 100, say / 100)


class InductionReplay(Opening):
    """Scrub through a training of the two layers: what both look at in one sentence, and the curves of ten seeds.

    Parameters
    ----------
    record : int
        Which record, from 0.
    again : {"3", "4", "5"}
        How many words come again at the end of the sentence.
    """

    shows = "What two layers look at in a sentence of twelve words, and loss and accuracy of ten seeds over the steps"
    in_numpy = """
        look = {look}
        match = {match}
        tokens = {tokens}
        x = np.eye(len(match))[tokens]
        sees = np.tri(len(tokens), dtype=bool)
        weights_1 = softmax(np.where(sees, look, -np.inf))
        weights_2 = softmax(np.where(sees, x @ match @ (weights_1 @ x).T, -np.inf))
    """

    history = traitlets.Dict().tag(sync=True, state=False)
    record = traitlets.Int(0, min=0).tag(
        sync=True, label="Steps of training", max=lambda figure: len(figure.history["steps"]) - 1, step=1
    )
    again = traitlets.Enum(AGAIN, "5").tag(sync=True, label="Words that come again", options=AGAIN)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"history": runs()} | kwargs)

    @traitlets.validate("record")
    def _known_record(self, proposal: Any) -> int:
        if self.history and proposal.value >= len(self.history["steps"]):
            raise traitlets.TraitError(
                f"record must be 0 … {len(self.history['steps']) - 1}, got {proposal.value}"
            )
        return proposal.value

    def steps_of_lecture(self) -> list[dict]:
        at = self.history["steps"].index
        return [
            step("before", "Before training. What do the layers look at?", record=at(0)),
            step("plateau", "350 steps. What does it say, and has the loss moved?", record=at(350)),
            step("layer-1", "390 steps. Which layer has its pattern first?", record=at(390)),
            step("fall", "400 steps. How many of the places are right now?", record=at(400)),
            step("learned", "600 steps. Is this the network that was drawn by hand?", record=at(600)),
        ]

    @property
    def tokens(self) -> np.ndarray:
        """The sentence: (12,), BOS is 0."""
        words = ORDER[: LENGTH - 1 - int(self.again)]
        return np.array([0, *words, *words[-int(self.again) :]])

    @property
    def blocks(self) -> Blocks:
        """What is learned so far; ``figure.blocks.network()`` is a network to be used like any other."""
        return blocks_at(self.history, self.record)

    def run(self) -> Run:
        """What the network does with the sentence."""
        return self.blocks.network()(self.tokens)

    def _asked(self) -> slice:
        """The places whose next word is known: from the first word that comes again to the last but one."""
        return slice(LENGTH - int(self.again), LENGTH - 1)

    def matrices(self) -> dict[str, np.ndarray]:
        first, second = self.run().weights
        return {"weights_1": first, "weights_2": second}

    def scalars(self) -> dict[str, float]:
        run, asked = self.run(), self._asked()
        (first, second), said = run.weights, run.logits[asked].argmax(axis=1)
        rows = np.arange(asked.start, asked.stop)
        found = rows + 1 - int(self.again)  # where the word to say next stood before
        return {
            "right": float((said == self.tokens[asked.start + 1 : asked.stop + 1]).sum()),
            "parrots": float((said == self.tokens[asked]).sum()),
            "before": float(first[found, found - 1].mean()),
            "after": float(second[rows, found].mean()),
            "loss": self.history["loss"][0][self.record],
            "accuracy": self.history["accuracy"][0][self.record],
        }

    def alt_text(self) -> str:
        said = self.scalars()
        return (
            f"Training of two layers that complete patterns, after {self.history['steps'][self.record]} steps: the "
            f"word before gets {said['before']:.2f} in layer 1, the follower of the earlier occurrence gets "
            f"{said['after']:.2f} in layer 2, where the answers need them. Loss and accuracy of ten seeds are drawn as "
            f"curves."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        axes: dict[str, Axes] = figure.subplot_mosaic([["curve", "curve"], ["1", "2"]], height_ratios=[1, 2])
        figure.set_size_inches(6.4, 5.2)
        steps, mask = self.history["steps"], causal_mask(LENGTH)
        plots.learning(
            axes["curve"], steps, self.history["accuracy"], wall=None, title="accuracy of ten seeds"
        )
        words = [LETTERS[token] for token in self.tokens]
        for name, weights in zip("12", self.run().weights, strict=True):
            title = f"layer {name}, {steps[self.record]} steps"
            plots.weights(axes[name], weights, mask=mask, rows=words, columns=words, title=title)
