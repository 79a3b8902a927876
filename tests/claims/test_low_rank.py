"""The 60 tables of chapter 7: a part is repeated, and each answer wins in its own measure."""

import json
from importlib import resources

import numpy as np
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from attn.data import corpus
from research.low_rank import TABLES, compare
from tests import tiers

FOUND = np.array(json.loads((resources.files("attn") / "data" / "low_rank.json").read_text(encoding="utf-8")))


def test_each_answer_wins_in_its_own_measure():
    assert FOUND.shape == (TABLES, 7, 2, 2)
    assert (FOUND[:, 6, 1] < 1e-6).all()  # at d_k = 7 both find the least loss, so the other six count
    (svd, trained), (svd_loss, trained_loss) = np.moveaxis(FOUND, (2, 3), (0, 1))
    assert (svd <= trained + 1e-6).all()
    lost = np.argwhere(trained_loss > svd_loss + 1e-6)
    assert len(lost) == 2
    shorter = trained_loss[:, :6] < svd_loss[:, :6]
    assert (shorter.sum(), shorter.size) == (358, 360)
    assert (lost[:, 1] == 0).all()  # d_k = 1


def test_another_start_leaves_the_worse_valley():
    (svd_loss, trained_loss) = FOUND[..., 1, 0], FOUND[..., 1, 1]
    for seed, index in np.argwhere(trained_loss > svd_loss + 1e-6):
        table = np.exp(np.random.default_rng([6, seed]).normal(scale=1.2, size=(8, 8)))
        table /= table.sum()
        least = cross_entropy(np.log(table), table)[0]
        others = [fit(table, index + 1, np.random.default_rng([s]), n_steps=1000).loss[-1] for s in range(6)]
        assert min(others) - least < svd_loss[seed, index] - 1e-3


def test_a_part_repeats():
    for seed in (0, 59):
        assert_allclose(compare(seed, dims=(2, 5)), FOUND[seed][[1, 4]], atol=1e-4)


def counts(blocks, words):
    """How often two of the words stand within ten places of each other in a block, as a joint table."""
    place, table = {word: i for i, word in enumerate(words)}, np.zeros((len(words), len(words)))
    for block in blocks:
        at = np.array([place.get(word, -1) for word in block])
        for step in range(1, 11):
            pairs = np.stack([at[:-step], at[step:]])[:, (at[:-step] >= 0) & (at[step:] >= 0)]
            np.add.at(table, tuple(pairs), 1)
    return (table + table.T) / (2 * table.sum())


def losses(joint, asked, seed):
    """The cross-entropy on `asked` of the prior alone, of three tables fitted to `joint`, and of each table halved."""
    prior = np.log(joint.sum(axis=0))
    with np.errstate(divide="ignore"):
        pmi = np.log(joint) - prior - prior[:, None]
    tables = [fit(joint, 12, np.random.default_rng(seed), prior=prior, n_steps=300, learning_rate=0.05).scores]
    for never in (-1, 0):
        # The table is its own transpose, so its largest eigenvalues, without their signs, are those of the SVD.
        values, vectors = np.linalg.eigh(np.where(joint > 0, pmi, never))
        largest = np.argsort(-np.abs(values))[:12]
        tables.insert(0, (vectors[:, largest] * values[largest]) @ vectors[:, largest].T)
    return [np.array([cross_entropy(part * t + prior, asked)[0] for t in tables]) for part in (0, 1, 0.5)]


@tiers.SLOW
def test_the_books_fits_beside_the_prior():
    """Counted once more. On the counts the learned scores lead; on what was left out nothing is far from the prior."""
    text = np.array(corpus.book())

    def frequent(words):
        names, times = np.unique(words, return_counts=True)
        return names[times >= 10].tolist()

    joint = counts([text], frequent(text))
    conditional = joint / joint.sum(axis=1, keepdims=True)
    least = -(joint * np.log(np.where(joint > 0, conditional, 1))).sum()
    alone, tables, _ = losses(joint, joint, 0)
    above = np.array([alone[0], *tables]) - least
    assert_allclose(above, [0.280, 0.244, 0.225, 0.196], atol=2e-3)
    assert abs((above[1] - above[2]) / (above[1] - above[3]) - 0.4) < 0.02
    blocks = [text[i : i + 500] for i in range(0, len(text), 500)]
    for k in range(5):
        rest = [block for i, block in enumerate(blocks) if i % 5 != k]
        words = frequent(np.concatenate(rest))
        alone, fitted, halved = losses(counts(rest, words), counts(blocks[k::5], words), k)
        assert np.abs(fitted - alone).max() < 0.03
        assert (halved < alone).all()
        assert halved.argmin() == 2
