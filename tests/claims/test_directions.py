"""Words of direction: rows and columns, more and less, above and below, before and after, first and second.

A direction that is turned around reads as well as the true one. So each sentence of a figure that stands here is tied
to NumPy's answer for the states that it speaks of, and who turns a word in it is told to look again.
"""

import re

import numpy as np
import pytest

from attn.explore import (
    FirstTouch,
    Masking,
    MultiHead,
    PmiTable,
    PositionalEncoding,
    ScoreVariance,
    SelfAttention,
    XorLab,
)
from attn.show.plots import COLORS
from ledger.prose import ROOT, pages, sentences

FIGURES = [
    *(ROOT / "attn" / "explore").rglob("*.js"),
    *(ROOT / "attn" / "explore").glob("*.py"),
    ROOT / "attn" / "show" / "plots.py",
]
# What a page may not say of a table of weights or scores: rows ask, columns are asked.
TURNED = re.compile(
    r"\brows? (?:is|are) (?:the |all )?keys?\b|\bcolumns? (?:is|are) (?:the |all )?quer(?:y|ies)\b"
    r"|\brows? (?:is|are) (?:asked|looked at)\b|\bcolumns? asks?\b|\bquer(?:y|ies) (?:is|are) (?:the )?columns?\b"
    r"|\bkeys? (?:is|are) (?:the )?rows?\b|\bfor each (?:query|asker) a column\b|\bfor each key a row\b",
    re.I,
)


def plain(text):
    """A text without what a source adds to its sentences: quotes, line ends, signs of emphasis."""
    text = re.sub(r"[\"']\s*\n\s*f?[\"']", "", text)  # a string that goes on in the next line
    return re.sub(r"\s+", " ", re.sub(r"[`*]|\\\\", "", text))


def test_rows_ask_and_columns_are_asked():
    said = {page: plain(" ".join(one.text for one in sentences(page))) for page in pages()}
    said |= {path.name: plain(path.read_text(encoding="utf-8")) for path in FIGURES}
    assert {name: found for name, text in said.items() if (found := TURNED.findall(text))} == {}


def outputs(**traits):
    return MultiHead(**traits).output


def scores_of(power, scale):
    """How far the scores of many draws spread."""
    return np.std([ScoreVariance(d_k=2**power, scale=scale, seed=seed).scores for seed in range(1, 33)])


def source(row, column, value):
    """Source 003's network with another number in head 1's W_Q; and its own weights."""
    widget = MultiHead("source")
    changed = np.array(widget.w_q)
    changed[0, row, column] = value
    return np.abs(MultiHead("source", w_q=changed).weights[0] - widget.weights[0]).max()


def joint_meets(p_11):
    """PMI of the first pair, and how much more often than by chance it meets."""
    widget = PmiTable(p_11=p_11)
    return widget.matrices()["pmi"][0, 0], p_11 - widget.p_row * widget.p_column


def heard(head, token):
    """Which word a token looks at most."""
    return MultiHead().weights[head, token].argmax()


def moved(**traits):
    return Masking(nudge=2.0, **traits).matrices()["moved"][:, 0] > 1e-9


WITNESSED = {
    "Head 1 looks up the word before, head 2 the first word, both by name.": lambda: (
        [heard(0, 1), heard(0, 2), heard(1, 1), heard(1, 2)] == [0, 1, 0, 0]
    ),
    "and sat gets cat minus the.": lambda: (
        outputs(faders=[1, -1])[2, 1] > 0.9 and outputs(faders=[1, -1])[2, 0] < -0.9
    ),
    "Head 1 seeks the largest number, head 2 the smallest.": lambda: (
        outputs(preset="opposites", faders=[1, 0])[:, 0].min() > 0.9
        and outputs(preset="opposites", faders=[0, 1])[:, 0].max() < -0.9
    ),
    "Largest minus smallest: 2 where the numbers differ, and 0 where all are equal.": lambda: (
        np.allclose(outputs(preset="opposites")[:, 0], 2, atol=0.05)
        and np.allclose(outputs(preset="opposites", n_tokens=2)[:, 0], 0)
    ),
    "A number of W_Q went from 0 to −2, in the row of the smallest entry of x. Does a weight move?": lambda: (
        MultiHead("source").w_q[0][0][0] == 0
        and (np.array(MultiHead("source").x).argmin(axis=1) == 0).all()
        and source(0, 0, -2.0) < 0.005
    ),
    "This one is in the row of the largest entry. It went from 1 to −2, and head 1 turns.": lambda: (
        MultiHead("source").w_q[0][3][0] == 1
        and (np.array(MultiHead("source").x).argmax(axis=1) == 3).all()
        and source(3, 0, -2.0) > 0.5
    ),
    "PMI above 0: the pair meets more often than by chance. Below 0: less often.": lambda: all(
        np.sign(pmi) == np.sign(more) for pmi, more in map(joint_meets, (0.06, 0.1, 0.22, 0.24))
    ),
    "They grow with the vectors: drag on.": lambda: scores_of(8, "none") > 2 * scores_of(4, "none"),
    "Divided by d_k the scores shrink as the vectors grow: drag on.": lambda: (
        scores_of(8, "d_k") < 0.5 * scores_of(4, "d_k")
    ),
    "the root keeps the spread of the scores at 1.": lambda: all(
        0.8 < scores_of(power, "root") < 1.2 for power in (2, 5, 8)
    ),
    "The last key moves. The outputs before it do not: the mask hides it from them.": lambda: (
        moved().tolist() == [False, False, False, True]
    ),
    "A query of length 0 asks for nothing: all weights are equal.": lambda: (
        np.ptp(FirstTouch(length=0).weights) < 1e-12
    ),
    "Turn the query: the output leans toward the words that it points at.": lambda: (
        FirstTouch(angle=100, length=3.2).weights.argmax() == np.array(FirstTouch().k)[:, 1].argmax()
    ),
    "A query of zeros: all keys score the same, and the output is the mean of the values.": lambda: np.allclose(
        SelfAttention(q=np.zeros((3, 2))).output, np.mean(SelfAttention().v, axis=0)
    ),
    "Three of four. The line has one end of the segment on its gray side.": lambda: (
        sorted(XorLab(angle=45.0).network().output[[0, 3]] > 0) == [False, True]
        and XorLab(angle=45.0).scalars()["accuracy"] == 0.75
    ),
    "More dimensions: late ones turn so slowly that they hardly move.": lambda: (
        np.ptp(PositionalEncoding(d_model=128).encoding[:, 100]) < 0.2
        < np.ptp(PositionalEncoding(d_model=128).encoding[:, 0])
    ),
    "Clocks: the first number of a pair goes right, the second up.": lambda: (
        np.allclose(PositionalEncoding(position=0, offset=1).matrices()["hands"][0, :2], [0, 1])
        and PositionalEncoding(position=0, offset=1).matrices()["hands"][1, 0] > 0
    ),
    "Signed numbers: orange below zero, blue above": lambda: (
        int(COLORS["low"][1:3], 16) > int(COLORS["low"][5:7], 16)
        and int(COLORS["high"][5:7], 16) > int(COLORS["high"][1:3], 16)
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", WITNESSED, ids=lambda sentence: sentence[:50])
def test_a_figures_words_point_where_its_numbers_go(sentence):
    """The sentence stands in a figure, and NumPy says the same. If it was changed on purpose, say it here too."""
    said = [plain(path.read_text(encoding="utf-8")) for path in FIGURES]
    assert any(plain(sentence) in text for text in said), "no figure says this any more: look again"
    assert WITNESSED[sentence]()
