"""XOR learned: the data, the model, its gradients against central differences, and training itself."""

import io
import sys
import types

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn._progress import Progress
from attn.xor import LOSSES, XorModel, all_cases, noise_token_batch, train


def sample(seed=1, n=6, d=4):
    return noise_token_batch(np.random.default_rng(seed), n, d)


@pytest.mark.parametrize("d", [1, 3, 4])
def test_noise_tokens(d):
    x, y = noise_token_batch(np.random.default_rng(0), 4000, d)
    assert x.shape == (4000, 4, d)
    assert y.shape == (4000,)
    assert np.issubdtype(y.dtype, np.integer)
    for token in (0, 3):
        assert_array_equal(np.abs(x[:, token]), 1)
        assert_array_equal(x[:, token], np.repeat(x[:, token, :1], d, axis=1))
    assert_array_equal(y, x[:, 0, 0] != x[:, 3, 0])
    assert np.abs(x[:, 1:3]).max() < 1
    assert_allclose(x[:, 1:3].mean(), 0, atol=0.02)
    assert_allclose(x[:, 1:3].var(), 1 / 3, atol=0.02)
    # All four cases are equally likely, and neither token alone says anything.
    for a in (-1, 1):
        for b in (-1, 1):
            assert_allclose(np.mean((x[:, 0, 0] == a) & (x[:, 3, 0] == b)), 0.25, atol=0.03)


def test_all_cases():
    x, _ = sample()
    cases, y = all_cases(x)
    assert cases.shape == (24, 4, 4)
    assert_array_equal(y, np.tile([0, 1, 1, 0], 6))
    assert_array_equal(cases[:, 0, 0] != cases[:, 3, 0], y)
    assert_array_equal(cases[:, 1:3], np.repeat(x[:, 1:3], 4, axis=0))
    assert len(np.unique(cases[:4, [0, 3], 0], axis=0)) == 4


def test_surely_wrong_is_a_dead_end_for_the_probability():
    """p(y) = e^-50: the right loss pulls with full strength, the wrong one not at all."""
    model = XorModel({"w_o": np.zeros((4, 2)), "b_o": np.array([50.0, 0.0])})
    x = np.ones((1, 4, 4))
    right = model.loss_and_gradient(x, [1])[1]["b_o"]
    wrong = model.loss_and_gradient(x, [1], "probability")[1]["b_o"]
    assert_allclose(right, [1, -1])
    assert np.abs(wrong).max() < 1e-20


def test_huge_scores_and_logits_stay_finite():
    rng = np.random.default_rng(0)
    model = XorModel.init(rng, 4, n_heads=2, query_bias=True)
    huge = XorModel(
        {name: 1e3 * (value + rng.normal(size=value.shape)) for name, value in model.params.items()}
    )
    x, y = sample()
    for loss in LOSSES:
        value, gradient = huge.loss_and_gradient(x, y, loss)
        assert np.isfinite(value)
        assert all(np.isfinite(entry).all() for entry in gradient.values())


def test_the_history():
    history = train(0, n_steps=50, record_every=20)
    assert_array_equal(history.steps, [0, 20, 40, 50])
    assert len(history.models) == len(history.loss) == len(history.accuracy) == 4
    assert history.model is history.models[-1]
    assert history.loss[-1] < history.loss[0]
    assert not history.stopped_early
    assert not np.shares_memory(history.models[0].params["w_q"], history.models[1].params["w_q"])
    x, y = all_cases(noise_token_batch(np.random.default_rng([0, 1]), 500, 4)[0])
    assert history.model.accuracy(x, y) == history.accuracy[-1]
    assert_allclose(history.model.loss_and_gradient(x, y)[0], history.loss[-1])


def test_early_stopping():
    """The baseline has nothing to learn: its loss is ln 2 at best, so patience ends it."""
    history = train(0, n_heads=0, query_bias=False, n_steps=3000, record_every=10, patience=5)
    assert history.stopped_early
    assert history.steps[-1] < 1000
    assert_allclose(history.loss[-1], np.log(2), atol=0.01)
    best, waited = np.inf, []
    for loss in history.loss:
        best, wait = (loss, 0) if loss < best - 1e-3 else (best, waited[-1] + 1)
        waited.append(wait)
    assert waited[-1] == max(waited) == 5
    # Each record is better, but by less than counts.
    history = train(
        0, n_heads=0, query_bias=False, n_steps=50, record_every=1, learning_rate=1e-4, patience=5
    )
    assert (np.diff(history.loss) < 0).all()
    assert history.steps[-1] == 5


def test_a_start_brings_its_width():
    start = XorModel.init(np.random.default_rng(0), 6, n_heads=2, query_bias=True, hidden=None, d_k=3)
    history = train(0, start=start, n_steps=3)
    assert history.model.d == 6
    for name, value in history.models[0].params.items():
        assert_array_equal(value, start.params[name])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_shows_late_and_leaves_nothing(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "IPython", None)
    with Progress(10, after=0) as bar:
        bar.update(5, "loss 0.693")
    assert "5 of 10  loss 0.693" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")
    quick = Terminal()
    monkeypatch.setattr(sys, "stderr", quick)
    with Progress(10) as bar:
        bar.update(5)
    with Progress(10, on=False, after=0) as bar:
        bar.update(5)
    nobody = io.StringIO()  # a file, say
    monkeypatch.setattr(sys, "stderr", nobody)
    with Progress(10, after=0) as bar:
        bar.update(5)
    assert quick.getvalue() + nobody.getvalue() == ""


def test_the_bar_in_a_notebook(monkeypatch):
    import IPython
    import IPython.display

    said = []

    def display(content, **_):
        said.append(content["text/plain"])
        return types.SimpleNamespace(update=lambda content, raw: said.append(content["text/plain"]))

    monkeypatch.setattr(IPython, "get_ipython", lambda: types.SimpleNamespace(kernel=True))
    monkeypatch.setattr(IPython.display, "display", display)
    with Progress(10, after=0) as bar:
        bar.update(5, "loss 0.1")
    assert said[0].endswith("5 of 10  loss 0.1")
    assert said[-1] == ""


def test_a_notebook_that_a_program_runs_has_no_bar():
    """However slow the machine: `make notebooks`, the build and nbval would store or compare what the bar leaves."""
    import nbclient
    import nbformat

    cell = nbformat.v4.new_code_cell(
        "from attn._progress import Progress\n"
        "with Progress(2, after=0) as bar:\n    bar.update(1)\n    bar.update(2)\nprint('done')"
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    patience = {"timeout": 300, "startup_timeout": 300, "iopub_timeout": 300}
    nbclient.NotebookClient(notebook, kernel_name="python3", **patience).execute()
    assert [output["output_type"] for output in notebook.cells[0].outputs] == ["stream"]
