"""Chapter 5: four pairs of bits as points, a line that wants to cut them, and a switch for each way out."""

import re
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step, story
from attn.xor import ASKER, ROPE, SOURCE_QUERY, WAYS_OUT, XorNetwork, accuracy, margin, source_network

SHAPES = {
    "w_q": (2, 2), "w_k": (2, 2), "w_v": (2, 2), "queries": (2, 2), "w_o_2": (2, 2), "positions": (2, 2),
    "w_1": (3, 2), "w_2": (2, 2),
}  # fmt: skip
SWITCHES = ("second_head", "position", "position_in_scores", "residual", "ffn", "read")
READS = {"decoder": "by a pooling query", "mean": "the mean", "row 1": "row 1"}
#: How the buttons call the presets that they call otherwise.
STORIES = {"rope": "one head", "source": "source 000", "ffn": "ReLU layer", "asker": "the asker holds a bit"}


def _state(network: XorNetwork, **changes: Any) -> dict[str, Any]:
    """The traits that show a network. Its readout becomes an angle and a length, on the grid of their sliders."""
    angle = float(np.rad2deg(np.arctan2(network.readout[1], network.readout[0])).round())
    state = {
        name: getattr(network, name).tolist() for name in ("w_q", "w_k", "w_v", "w_o_2", "positions", "w_2")
    }
    state |= {
        "queries": [network.query.tolist(), np.asarray(network.query_2).tolist()],
        "w_1": np.vstack([np.asarray(network.w_1), np.asarray(network.b_1)]).tolist(),
        "angle": angle, "length": float(np.hypot(*network.readout).round(1)), "bias": network.bias,
    }  # fmt: skip
    return state | {name: getattr(network, name) for name in SWITCHES} | changes


#: Where the figure may start from: `attn.xor`'s networks.
PRESETS = {
    "rope": _state(ROPE, angle=130.0, length=1.0),
    "source": _state(source_network(query=SOURCE_QUERY.round(1))),
    **{name: _state(network) for name, network in WAYS_OUT.items()},
    "asker": _state(ASKER),
}


class XorLab(Opening):
    """The four pairs of bits in a two-token network: what is read of each as a point, and the readout as a line.

    Parameters
    ----------
    preset : {"rope", "source", "second head", "max − min", "position", "residual", "ffn", "asker"}
        What all that is not given starts from: a network of `attn.xor`.
    w_q, w_k, w_v, w_o_2, positions, w_2 : (2, 2) arrays
    queries : (2, 2) array
        The pooling queries, a row for each head.
    w_1 : (3, 2) array
        Of the ReLU layer; the last row is its bias.
    angle : float
        Direction of the readout, degrees, counter-clockwise from east. The line is at right angles to it.
    length : float in [0, 3]
        Of the readout.
    bias : float
    second_head, position, position_in_scores, residual, ffn : bool
    read : {"decoder", "mean", "row 1"}

    Raises
    ------
    ValueError
        If there is no such preset, or a shape does not fit.
    """

    view = "xor"
    shows = (
        "What is read of the four pairs, as points in a plane; a segment between the two equal pairs; "
        "the readout's line, and its gray side, which says 1"
    )
    in_numpy = """
        w_q, w_k, w_v = {w_q}, {w_k}, {w_v}
        positions, queries, w_o_2 = {positions}, {queries}, {w_o_2}
        w_1, w_2 = {w_1}, {w_2}
        x = np.array([[[1, 0], [1, 0]], [[0, 1], [1, 0]], [[1, 0], [0, 1]], [[0, 1], [0, 1]]])
        seen = x + {position_in_scores} * positions
        valued = x + {position} * positions
        attention = softmax(seen @ w_q @ (seen @ w_k).mT)
        hidden = {residual} * valued + attention @ valued @ w_v
        if {ffn}:
            hidden = np.maximum(0, hidden @ w_1[:2] + w_1[2]) @ w_2
        decoder, decoder_2 = softmax(hidden @ queries[0]), softmax(hidden @ queries[1])
        reads = {"decoder": decoder, "mean": np.full((4, 2), 0.5), "row 1": np.array([[1, 0]] * 4)}
        decoder = reads[{read}]
        read = np.einsum("pi,pij->pj", decoder, hidden)
        read = read + {second_head} * np.einsum("pi,pij->pj", decoder_2, hidden) @ w_o_2
        turn = np.deg2rad({angle})
        output = read @ ({length} * np.array([np.cos(turn), np.sin(turn)])) + {bias}
    """

    w_q = traitlets.List().tag(sync=True, label="W_Q", **ENTRIES)
    w_k = traitlets.List().tag(sync=True, label="W_K", **ENTRIES)
    w_v = traitlets.List().tag(sync=True, label="W_V", **ENTRIES)
    queries = traitlets.List().tag(sync=True, label="queries", **ENTRIES)
    w_o_2 = traitlets.List().tag(sync=True, label="W_O of head 2", **ENTRIES)
    positions = traitlets.List().tag(sync=True, label="positions", **ENTRIES)
    w_1 = traitlets.List().tag(sync=True, label="W_1", **ENTRIES)
    w_2 = traitlets.List().tag(sync=True, label="W_2", **ENTRIES)
    angle = traitlets.Float().tag(sync=True, label="Turn the line", min=-180, max=180, step=1)
    length = traitlets.Float(min=0, max=3).tag(sync=True, label="readout length", step=0.1)
    bias = traitlets.Float().tag(sync=True, label="bias", min=-3, max=3, step=0.05)
    second_head = traitlets.Bool().tag(sync=True, label="second head")
    position = traitlets.Bool().tag(sync=True, label="position in values")
    position_in_scores = traitlets.Bool().tag(sync=True, label="position in scores")
    residual = traitlets.Bool().tag(sync=True, label="residual")
    ffn = traitlets.Bool().tag(sync=True, label="ReLU layer")
    read = traitlets.Enum(tuple(READS), "decoder").tag(sync=True, label="reads", options=READS)

    def __init__(self, preset: str = "rope", **kwargs: Any) -> None:
        if preset not in PRESETS:
            raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}")
        self._from_the_source = preset == "source"
        state = PRESETS[preset] | kwargs
        for name, (rows, columns) in SHAPES.items():
            state[name] = as_matrix(name, state[name], rows=rows, columns=columns)
        super().__init__(**state)

    def stories_told(self) -> list[dict]:
        return [
            story(re.sub(r"\W+", "-", name), STORIES.get(name, name), **state)
            for name, state in PRESETS.items()
        ]

    def steps_of_lecture(self) -> list[dict]:
        def changing(name: str, says: str, preset: str | None = None, **changes: Any) -> dict:
            """A step that names only what is not so already: links stay short."""
            wanted = (PRESETS[preset] if preset else {}) | changes
            return step(name, says, **{trait: v for trait, v in wanted.items() if v != getattr(self, trait)})

        if self._from_the_source:
            return [
                changing("alike", "The notebook's network, mended: four outputs on the same side of 0."),
                changing("bias", "A bias, and nothing else. The four outputs were never alike.", bias=-0.55),
                changing(
                    "no-relu",
                    "The same bias without the ReLU layer. Is there a bias that helps?",
                    bias=-0.55,
                    ffn=False,
                ),
            ]
        return [
            changing(
                "three", "Three of four. The line has one end of the segment on its gray side.", angle=45.0
            ),
            changing(
                "other-end",
                "Another line, and the other end is wrong. You may choose which: no more than that.",
                angle=-135.0,
                bias=1.5,
            ),
            changing(
                "second-head",
                "A second head lifts the middle off the segment, and one straight cut is enough.",
                "second head",
            ),
            changing(
                "positions",
                "One head, with positions in the values. The equal pairs meet; the others lie elsewhere.",
                "position",
            ),
            changing(
                "residual", "One head with a residual connection; what is read is the mean.", "residual"
            ),
            changing("relu", "One head and a ReLU layer: it folds the segment, and the ends meet.", "ffn"),
            changing(
                "asker",
                "One head with the same query for both bits, and XOR all the same: the token that asks holds a bit, "
                "and the residual connection adds it. That is the condition of Theorem 2 that is easy to forget.",
                "asker",
            ),
        ]

    @property
    def readout(self) -> np.ndarray:
        """(2,): what the line stands at right angles to."""
        turn = np.deg2rad(self.angle)
        return self.length * np.array([np.cos(turn), np.sin(turn)])

    @property
    def network(self) -> XorNetwork:
        """The present network, as `attn.xor` has it."""
        arrays: dict[str, Any] = {name: np.array(getattr(self, name), dtype=float) for name in SHAPES}
        (query, query_2), layer = arrays.pop("queries"), arrays.pop("w_1")
        return XorNetwork(
            **arrays, query=query, query_2=query_2, w_1=layer[:2], b_1=layer[2],
            readout=self.readout, bias=self.bias, **{name: getattr(self, name) for name in SWITCHES},
        )  # fmt: skip

    def matrices(self) -> dict[str, np.ndarray]:
        shown = self.network()._asdict()
        shown["output"] = shown["output"][:, None]
        return shown | {name: np.array(getattr(self, name), dtype=float) for name in SHAPES}

    def scalars(self) -> dict[str, float]:
        outputs = self.network().output
        return {"accuracy": float(accuracy(outputs)), "margin": float(margin(outputs))}

    def alt_text(self) -> str:
        right = round(4 * self.scalars()["accuracy"])
        return f"{self.shows}. {right} of the four points are on their right side."

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        figure.set_size_inches(4.2, 4.2)
        plots.xor_plane(figure.subplots(), self.network().read, self.readout, self.bias)
