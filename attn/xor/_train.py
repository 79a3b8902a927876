"""Training: Adam on fresh samples at every step, with a record of the way (chapter 6)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attn._arrays import Floats, Ints, finite_number, whole_number
from attn._progress import Progress
from attn.xor._backward import forward, loss_and_gradient
from attn.xor._learned import XorModel, all_cases, draw, known_loss, noise_token_batch


@dataclass(frozen=True, eq=False)
class History:
    """What `train` recorded, m times along the way, the first before the first step.

    Attributes
    ----------
    seed : int
    steps : (m,) array of int
        How many steps had been taken.
    loss : (m,) array
        Mean −log p(y) on samples that training never sees, in nats, whatever loss was trained on.
    accuracy : (m,) array
        On the same samples: 500 draws of noise with all four cases each.
    models : tuple of m XorModel
    stopped_early : bool
    """

    seed: int
    steps: np.ndarray
    loss: np.ndarray
    accuracy: np.ndarray
    models: tuple[XorModel, ...]
    stopped_early: bool

    @property
    def model(self) -> XorModel:
        """The model after the last step."""
        return self.models[-1]


def train(
    seed: int,
    *,
    d: int = 4,
    n_heads: int = 2,
    query_bias: bool = True,
    hidden: int | None = None,
    d_k: int = 3,
    n_steps: int = 1000,
    batch_size: int = 256,
    learning_rate: float = 0.1,
    loss: str = "log-probability",
    record_every: int = 10,
    patience: int | None = None,
    start: XorModel | None = None,
    progress: bool = True,
) -> History:
    r"""Train an `XorModel` on fresh samples at every step, in float64, the same for the same seed.

    Parameters
    ----------
    seed : int
        Of the first parameters and of all samples.
    d, n_heads, query_bias, hidden, d_k
        The model: see `XorModel.init`.
    n_steps, batch_size : int
    learning_rate : float
        Of the first step; it falls to 0 along half a cosine, so that the last steps settle.
    loss : {"log-probability", "probability"}
        What the gradient is of: see `XorModel.loss_and_gradient`.
    record_every : int
        Steps between two records.
    patience : int, optional
        Stop after this many records in a row that do not lower the held-out loss by 0.001. Default None: never.
    start : XorModel, optional
        Go on from this model instead of a drawn one; its shape counts then, not `n_heads` … `d_k`.
    progress : bool
        Show a bar, in a terminal or notebook, once training has taken two seconds.

    Returns
    -------
    History

    Raises
    ------
    ValueError
        If a size is below 1, the learning rate is not above 0, or there is no such loss.
    TypeError
        If a size is not a whole number.

    References
    ----------
    Adam: Kingma & Ba (2015), with β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
    """
    seed = whole_number(seed, "seed", 0)
    n_steps, record_every = whole_number(n_steps, "n_steps", 1), whole_number(record_every, "record_every", 1)
    batch_size = whole_number(batch_size, "batch_size", 1)
    patience = None if patience is None else whole_number(patience, "patience", 1)
    learning_rate, loss = finite_number(learning_rate, "learning_rate"), known_loss(loss)
    if learning_rate <= 0:
        raise ValueError(f"learning_rate must be above 0, got {learning_rate}")
    rng = np.random.default_rng(seed)
    if start is None:
        start = XorModel.init(rng, d, n_heads=n_heads, query_bias=query_bias, hidden=hidden, d_k=d_k)
    d = start.d
    flat, params = _flatten(start.params)  # one vector for Adam, and views into it for the model
    mean, square = np.zeros_like(flat), np.zeros_like(flat)
    x, y = all_cases(noise_token_batch(np.random.default_rng([seed, 1]), 500, d)[0])
    unseen = np.ascontiguousarray(x.transpose(1, 2, 0)), y
    records, best, waited = [], np.inf, 0
    with Progress(n_steps, on=progress) as bar:
        for step in range(n_steps + 1):
            if step % record_every == 0 or step == n_steps:
                records.append(_record(step, params, *unseen))
                improved = records[-1][1] < best - 1e-3
                best, waited = (records[-1][1], 0) if improved else (best, waited + 1)
                bar.update(step, f"loss {records[-1][1]:.3f}")
                if step == n_steps or (patience is not None and waited >= patience):
                    break
            by_name = loss_and_gradient(params, *draw(rng, batch_size, d), loss)[1]
            gradient = np.concatenate([by_name[name].ravel() for name in params])
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            rate = learning_rate * (1 + np.cos(np.pi * step / n_steps)) / 2
            size = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
            flat -= rate / (1 - 0.9 ** (step + 1)) * mean / size
    steps, losses, accuracies, models = zip(*records, strict=True)
    return History(
        seed, np.array(steps), np.array(losses), np.array(accuracies), models, stopped_early=step < n_steps
    )


def _flatten(params: Mapping[str, np.ndarray]) -> tuple[Floats, dict[str, np.ndarray]]:
    """Return all parameters as one vector, and a dict of views into it."""
    flat = np.concatenate([value.ravel() for value in params.values()])
    views: dict[str, np.ndarray] = {}
    start = 0
    for name, value in params.items():
        views[name] = flat[start : start + value.size].reshape(value.shape)
        start += value.size
    return flat, views


def _record(
    step: int, params: Mapping[str, np.ndarray], x: Floats, y: Ints
) -> tuple[int, float, float, XorModel]:
    """Return the step, loss and accuracy on x (4, d, n), and a copy of the model."""
    logits = forward(params, x).logits
    margin = np.where(y == 1, logits[0] - logits[1], logits[1] - logits[0])  # wrong over right
    loss = np.logaddexp(0, margin).mean()  # −log p(y) of two logits
    model = XorModel({name: value.copy() for name, value in params.items()})
    return step, float(loss), float(np.mean(logits.argmax(axis=0) == y)), model
