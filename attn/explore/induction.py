"""Complete the pattern: two layers of attention, every weight of which is in the reader's hand."""

from types import ModuleType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step, story
from attn.induction import N_PLACES, VOCABULARY, questions
from attn.masks import causal_mask
from attn.transformer import Layer, Run, Transformer

N_VOCAB = len(VOCABULARY)
#: Where the lanes of the stream begin and end.
TOKEN, PLACE, BEFORE, NEXT = slice(0, 5), slice(5, 7), slice(7, 12), slice(12, 17)
D_MODEL = 17
LANES = {"next": NEXT, "token": TOKEN, "before": BEFORE}
NORMS = {"none": "none", "pre": "before each layer", "post": "after each layer"}
WORDS = ("first", "second", "third", "fourth", "last")
SAME = np.eye(N_VOCAB).tolist()
LOOK = np.eye(2).tolist()
SURE = 1e-9  # a word is said if its logit is above all others by more than that


def rank(block: np.ndarray, beta: float = 1.0) -> int:
    """Rank of a block times beta; what is below 1e-9 counts as 0."""
    return int(np.linalg.matrix_rank(block, tol=1e-9)) if beta else 0


class Induction(Opening):
    """Two layers that complete `A 1 B 0 A`: layer 1 writes who came before, layer 2 looks for the present word there.

    Parameters
    ----------
    turn : float, 0 … 5.9
        How many places back layer 1's hand points, on a clock of six places: score β₁ cos 60°(i − turn − j).
    first, second, third, fourth, last : {"A", "B", "0", "1"}
        The words after `BOS`.
    beta_1, beta_2 : float, 0 … 20
        What layer 1's and layer 2's blocks are multiplied by.
    look : (2, 2) array
        Layer 1's W_Q W_Kᵀ from place to place, before it is turned.
    copy : (5, 5) array
        Layer 1's W_V W_O from token to before; rows and columns are `attn.induction.VOCABULARY`.
    match : (5, 5) array
        Layer 2's W_Q W_Kᵀ from token to before.
    say : (5, 5) array
        Layer 2's W_V W_O from token to the lane that is read.
    layer_1, layer_2 : bool
        Whether there is this layer.
    residual_1, residual_2 : bool
        Whether what a layer says is added to the stream, or takes its place.
    causal, bos, places : bool
        Whether words see only what came before, whether `BOS` is there, and whether words know their places.
    norm : {"none", "pre", "post"}
        Where `attn.transformer.layer_norm` stands.
    lane : {"next", "token", "before"}
        Into which lane layer 2 writes, and from which the answer is read.

    Raises
    ------
    ValueError
        If a block does not have its shape.
    """

    shows = (
        "The hand of layer 1 on a clock whose hours are the words, the four lanes of the stream, and what the two "
        "layers look at"
    )
    in_numpy = """
        vocabulary = ["BOS", "A", "B", "0", "1"]
        words = ["BOS"] * {bos} + [{first}, {second}, {third}, {fourth}, {last}]
        n = len(words)
        token, place, before = slice(0, 5), slice(5, 7), slice(7, 12)  # lanes of the stream
        lane = {"next": slice(12, 17), "token": token, "before": before}[{lane}]
        x, (qk_1, ov_1, qk_2, ov_2) = np.zeros((n, 17)), np.zeros((4, 17, 17))
        x[range(n), [vocabulary.index(word) for word in words]] = 1
        hours = np.arange(n) * np.pi / 3
        x[:, place] = {places} * np.stack([np.cos(hours), np.sin(hours)], axis=1)
        qk_1[place, place] = {turned}  # the hand
        ov_1[token, before] = {copy}
        qk_2[token, before] = {beta_2} * {match}
        ov_2[token, lane] = {say}
        sees = np.tri(n, dtype=bool) if {causal} else np.ones((n, n), bool)

        def norm(x, on):
            away = x - x.mean(axis=1, keepdims=True)
            return away / np.sqrt((away**2).mean(axis=1, keepdims=True) + 1e-5) if on else x

        def layer(x, qk, ov, residual):
            read = norm(x, {norm} == "pre")
            weights = softmax(np.where(sees, read @ qk @ read.T, -np.inf))
            return weights, norm(residual * x + weights @ read @ ov, {norm} == "post")

        weights_1 = weights_2 = np.zeros((n, n))
        if {layer_1}:
            weights_1, x = layer(x, qk_1, ov_1, {residual_1})
        if {layer_2}:
            weights_2, x = layer(x, qk_2, ov_2, {residual_2})
        answer = x[-1:, lane]  # logits
    """

    turn = traitlets.Float(0.0, min=0, max=5.9).tag(sync=True, label="Layer 1's hand: places back", step=0.1)
    first = traitlets.Enum(VOCABULARY[1:], "A").tag(sync=True, label="Word 1", options=VOCABULARY[1:])
    second = traitlets.Enum(VOCABULARY[1:], "1").tag(sync=True, label="Word 2", options=VOCABULARY[1:])
    third = traitlets.Enum(VOCABULARY[1:], "B").tag(sync=True, label="Word 3", options=VOCABULARY[1:])
    fourth = traitlets.Enum(VOCABULARY[1:], "0").tag(sync=True, label="Word 4", options=VOCABULARY[1:])
    last = traitlets.Enum(VOCABULARY[1:], "A").tag(sync=True, label="Word 5", options=VOCABULARY[1:])
    beta_1 = traitlets.Float(10.0, min=0, max=20).tag(sync=True, label="*β*₁, layer 1", step=0.1)
    beta_2 = traitlets.Float(5.0, min=0, max=20).tag(sync=True, label="*β*₂, layer 2", step=0.1)
    look = traitlets.List().tag(sync=True, label="look", **ENTRIES)
    copy = traitlets.List().tag(sync=True, label="copy", **ENTRIES)
    match = traitlets.List().tag(sync=True, label="match", **ENTRIES)
    say = traitlets.List().tag(sync=True, label="say", **ENTRIES)
    layer_1 = traitlets.Bool(True).tag(sync=True, label="Layer 1")
    layer_2 = traitlets.Bool(True).tag(sync=True, label="Layer 2")
    residual_1 = traitlets.Bool(True).tag(sync=True, label="Residual around layer 1")
    residual_2 = traitlets.Bool(True).tag(sync=True, label="Residual around layer 2")
    causal = traitlets.Bool(True).tag(sync=True, label="Causal mask")
    bos = traitlets.Bool(True).tag(sync=True, label="`BOS`")
    places = traitlets.Bool(True).tag(sync=True, label="Places")
    norm = traitlets.Enum(tuple(NORMS), "none").tag(sync=True, label="LayerNorm", options=NORMS)
    lane = traitlets.Enum(tuple(LANES), "next").tag(
        sync=True, label="Lane of the answer", options={name: name for name in LANES}
    )

    def __init__(
        self,
        look: ArrayLike = LOOK,
        copy: ArrayLike = SAME,
        match: ArrayLike = SAME,
        say: ArrayLike = SAME,
        **kwargs: Any,
    ) -> None:
        blocks = {"copy": copy, "match": match, "say": say}
        kwargs |= {name: as_matrix(name, block, rows=5, columns=5) for name, block in blocks.items()}
        super().__init__(look=as_matrix("look", look, rows=2, columns=2), **kwargs)

    def limits(self) -> dict[str, list | None]:
        return {name: ["number", ENTRIES["min"], ENTRIES["max"]] for name in ("look", "copy", "match", "say")}

    def stories_told(self) -> list[dict]:
        words = dict(zip(WORDS, ("A", "1", "B", "0", "A"), strict=True))
        whole = dict.fromkeys(
            ("layer_1", "layer_2", "residual_1", "residual_2", "causal", "bos", "places"), True
        )
        plain: dict[str, Any] = (
            words | whole | {"beta_1": 10.0, "beta_2": 5.0, "norm": "none", "lane": "next"}
        )
        plain |= {"look": LOOK, "copy": SAME, "match": SAME, "say": SAME}
        return [
            story("first", "as at first", turn=0.0, **plain),
            story("back", "one place back", turn=1.0, **plain),
            story("no-bos", "one place back, no `BOS`", turn=1.0, **plain | {"bos": False}),
            story(
                "alone",
                "layer 1 alone, read *before*",
                turn=1.0,
                **plain | {"layer_2": False, "lane": "before"},
            ),
        ]

    def steps_of_lecture(self) -> list[dict]:
        back = {"turn": 1.0, "opened": True}
        return [
            step("back", "The hand is turned one place back. What stands in the lane *before*?", turn=1.0),
            step("two-back", "Two places back. Which word does layer 2 find now?", turn=2.0),
            step(
                "no-residual", "No residual around layer 1. What has layer 2 lost?", residual_1=False, **back
            ),
            step("no-bos", "No `BOS`. Which of the sixteen questions go wrong?", bos=False, **back),
            step(
                "one-layer", "Layer 1 alone. How many can it get right?", layer_2=False, lane="before", **back
            ),
        ]

    @property
    def words(self) -> list[str]:
        """What is asked: the words, with `BOS` if it is there."""
        return ["BOS"] * self.bos + [getattr(self, name) for name in WORDS]

    @property
    def turned(self) -> np.ndarray:
        """Layer 1's block from place to place, turned and multiplied by β₁: (2, 2)."""
        angle = 2 * np.pi / N_PLACES * self.turn
        cos, sin = np.cos(angle), np.sin(angle)
        return self.beta_1 * np.array([[cos, -sin], [sin, cos]]) @ np.array(self.look, dtype=float)

    def products(self) -> dict[str, np.ndarray]:
        """What the layers are made of, (17, 17) each: W_Q W_Kᵀ and W_V W_O, by ``w_qk_1`` to ``w_ov_2``."""
        qk_1, ov_1, qk_2, ov_2 = np.zeros((4, D_MODEL, D_MODEL))
        qk_1[PLACE, PLACE] = self.turned
        ov_1[TOKEN, BEFORE] = self.copy
        qk_2[TOKEN, BEFORE] = self.beta_2 * np.array(self.match, dtype=float)
        ov_2[TOKEN, LANES[self.lane]] = self.say
        return {"w_qk_1": qk_1, "w_ov_1": ov_1, "w_qk_2": qk_2, "w_ov_2": ov_2}

    @property
    def network(self) -> Transformer:
        """The network as it stands, to be used like any other: `figure.network(tokens).logits`."""
        made, norm = self.products(), None if self.norm == "none" else self.norm
        layers = [
            Layer.from_products(made[f"w_qk_{n}"], made[f"w_ov_{n}"], residual=residual, norm=norm)
            for n, on, residual in ((1, self.layer_1, self.residual_1), (2, self.layer_2, self.residual_2))
            if on
        ]
        embedding, unembedding = np.zeros((N_VOCAB, D_MODEL)), np.zeros((D_MODEL, N_VOCAB))
        embedding[:, TOKEN] = unembedding[LANES[self.lane]] = np.eye(N_VOCAB)
        hours = np.zeros((N_PLACES, D_MODEL))
        angles = 2 * np.pi / N_PLACES * np.arange(N_PLACES)
        hours[:, PLACE] = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return Transformer(embedding, layers, unembedding, hours if self.places else None, causal=self.causal)

    def run(self) -> Run:
        """What the network does with the words."""
        return self.network(np.array([VOCABULARY.index(word) for word in self.words]))

    @property
    def weights(self) -> np.ndarray:
        """What the two layers look at: (2, n, n); zeros for a layer that is not there."""
        seen = iter(self.run().weights)
        none = np.zeros((len(self.words), len(self.words)))
        return np.array([next(seen) if on else none for on in (self.layer_1, self.layer_2)])

    @property
    def says(self) -> str:
        """The word whose logit is above all others; "" where there is none."""
        logits = self.run().logits[-1]
        best, second = np.argsort(-logits, kind="stable")[:2]
        return VOCABULARY[best] if logits[best] - logits[second] > SURE else ""

    def rights(self) -> np.ndarray:
        """Which of the sixteen questions it answers, in the order of `attn.induction.questions`: (16,) of bool."""
        tokens, answers = (np.array(part) for part in zip(*questions(), strict=True))
        logits = self.network(tokens if self.bos else tokens[:, 1:]).logits[:, -1].copy()
        own = np.take_along_axis(logits, answers[:, None], axis=1)[:, 0]
        np.put_along_axis(logits, answers[:, None], -np.inf, axis=1)
        return own - logits.max(axis=1) > SURE

    @property
    def right_of_16(self) -> int:
        """How many of the sixteen questions it answers."""
        return int(self.rights().sum())

    def matrices(self) -> dict[str, np.ndarray]:
        run, (first, second) = self.run(), self.weights
        return {
            "answer": run.logits[-1:], "weights_1": first, "weights_2": second, "stream": run.stream[-1],
            "before": run.stream[-1][:, BEFORE], "next": run.stream[-1][:, NEXT], "turned": self.turned,
            "look": np.array(self.look, dtype=float), "copy": np.array(self.copy, dtype=float),
            "match": np.array(self.match, dtype=float), "say": np.array(self.say, dtype=float),
        } | self.products()  # fmt: skip

    def scalars(self) -> dict[str, float]:
        return {
            "right_of_16": self.right_of_16,
            "rank_qk_1": rank(np.array(self.look), self.beta_1),
            "rank_ov_1": rank(np.array(self.copy)),
            "rank_qk_2": rank(np.array(self.match), self.beta_2),
            "rank_ov_2": rank(np.array(self.say)),
        }

    def alt_text(self) -> str:
        back = f"{self.turn:g} place{'s' * (self.turn != 1)} back"
        return (
            f"Two layers of attention over {' '.join(self.words)}: layer 1's hand points {back}, and the answer is "
            f"{self.says or 'no word'}. {self.right_of_16} of 16 questions are answered right."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        mask = causal_mask(len(self.words)) if self.causal else np.ones((len(self.words),) * 2, dtype=bool)
        on = (self.layer_1, self.layer_2)
        for n, (ax, weights) in enumerate(zip(figure.subplots(1, 2), self.weights, strict=True)):
            plots.weights(
                ax, weights, mask=mask & on[n], rows=self.words, columns=self.words, title=f"layer {n + 1}"
            )
        figure.suptitle(f"{' '.join(self.words)}: the answer is {self.says or 'no word'}")
