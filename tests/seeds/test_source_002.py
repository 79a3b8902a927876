"""Source 002, XOR among noise learned in PyTorch: it prints nothing, so what can be checked is what its lines do.

Its lines stand here in NumPy, one sample at a time as it has them; `attn.xor` is compared with them.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.softmax import log_softmax, softmax
from attn.xor import XorModel, all_cases, noise_token_batch


def fetch(rng, k):
    """The notebook's data, with a seed: a bit, two noise tokens, a bit; the answer is whether the bits differ."""
    a = np.array([[1] * k, [-1] * k][rng.integers(2)])
    b, c = rng.uniform(-1, 1, (2, k))
    d = np.array([[1] * k, [-1] * k][rng.integers(2)])
    return [a, b, c, d], int(a[0] != d[0])


def transformer(sentence, query_matrix, key_matrix, weight, bias):
    """The notebook's forward pass: no scale, no bias on the query, the tokens are their own values."""
    q = sentence[1] @ query_matrix
    scores = [q @ (token @ key_matrix) for token in sentence]
    mask = softmax(np.array(scores))
    modified_token2 = sum(m * token for token, m in zip(sentence, mask, strict=True))
    return softmax(modified_token2 @ weight.T + bias)


def test_its_data():
    rng = np.random.default_rng(0)
    theirs = [fetch(rng, 4) for _ in range(2000)]
    x, y = noise_token_batch(rng, 2000, 4)
    for tokens, answers in ((np.array([s for s, _ in theirs]), np.array([y for _, y in theirs])), (x, y)):
        assert_array_equal(np.abs(tokens[:, [0, 3]]), 1)
        assert_array_equal(answers, tokens[:, 0, 0] != tokens[:, 3, 0])
        assert (np.abs(tokens[:, 1:3]) <= 1).all()
        assert abs(answers.mean() - 0.5) < 0.05


def test_its_text_describes_an_older_task():
    """'Only the first token has any predictive value': here the first token alone says nothing about the answer."""
    x, y = all_cases(noise_token_batch(np.random.default_rng(1), 500, 4)[0])
    for first in (-1, 1):
        assert y[x[:, 0, 0] == first].mean() == 0.5
    assert x.shape[1] == 4  # and a sentence has four tokens, not three


def test_its_model_is_ours():
    rng = np.random.default_rng(2)
    w_q, w_k = rng.normal(size=(2, 4, 3))
    weight, bias = rng.normal(size=(2, 4)), rng.normal(size=2)
    params = {"w_q": np.sqrt(3) * w_q[None], "w_k": w_k[None], "w_o": weight.T, "b_o": bias}
    samples = [fetch(rng, 4)[0] for _ in range(20)]
    ours = softmax(XorModel(params).forward(np.array(samples)).logits)
    theirs = [transformer(sentence, w_q, w_k, weight, bias) for sentence in samples]
    assert_allclose(ours, theirs, atol=1e-13)


def test_its_model_is_theorem_2s():
    """Whatever its parameters: of the four cases of one draw of noise at most three are right."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        params = {
            "w_q": 2 * rng.normal(size=(1, 4, 3)),
            "w_k": rng.normal(size=(1, 4, 3)),
            "w_o": rng.normal(size=(4, 2)),
            "b_o": rng.normal(size=2),
        }
        x, y = all_cases(noise_token_batch(rng, 400, 4)[0])  # 120,000 networks and draws in all
        right = (XorModel(params).predict(x) == y).reshape(-1, 4).sum(axis=1)
        assert right.max() <= 3


def test_its_baseline_sees_nothing():
    """Token b is the same in all four cases, two of which say 1."""
    x, y = all_cases(noise_token_batch(np.random.default_rng(4), 100, 3)[0])
    assert_array_equal(np.ptp(x[:, 1].reshape(-1, 4, 3), axis=1), 0)
    assert_array_equal(y.reshape(-1, 4).sum(axis=1), 2)
    rng = np.random.default_rng(5)
    model = XorModel({"w_o": rng.normal(size=(3, 2)), "b_o": rng.normal(size=2)})
    assert model.accuracy(x, y) == 0.5


def test_its_loss_takes_probabilities_for_log_probabilities():
    """nll_loss(p, y) is −p[y]: never below −1, and flat where the network is surely wrong."""
    logits = np.array([[0.0, 12.0], [0.0, 0.0], [12.0, 0.0]])
    p = softmax(logits)[:, 0]  # the answer is 0
    assert_allclose(-p, [-6.1e-6, -0.5, -0.999994], atol=1e-6)
    flat = p * (1 - p)  # the derivative of p by its own logit, up to the sign
    assert_allclose(flat[0], 0, atol=1e-5)
    assert_allclose(1 - np.exp(log_softmax(logits))[0, 0], 1, atol=1e-5)  # that of −log p: full strength


@pytest.mark.parametrize("query_bias", [False, True])
def test_a_query_of_noise_alone_has_no_preference(query_bias):
    """Turn the noise around and the query turns with it, so no bit is sought on average; a bias does not turn."""
    rng = np.random.default_rng(6)
    w_q, w_k = rng.normal(size=(2, 4, 3))
    b_q = rng.normal(size=3) * query_bias
    b = rng.uniform(-1, 1, size=(1000, 4))
    ones = np.ones(4) @ w_k
    there, back = (noise @ w_q @ ones + b_q @ ones for noise in (b, -b))
    assert_allclose(there + back, 2 * b_q @ ones, atol=1e-12)
    assert (abs(b_q @ ones) > 0.1) == query_bias
