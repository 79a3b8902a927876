"""Chapter 6: a recorded training run, step by step: what the heads look at, what the network says, what it costs."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn.explore._base import Axes, Figure, Opening, step
from attn.softmax import softmax
from attn.xor import History, XorModel, all_cases

MOST = 25  # records that a figure keeps of a run
CASES = ["−1 −1", "+1 −1", "−1 +1", "+1 +1"]  # a and d, in the order of attn.xor.all_cases
TOKENS = ["a", "b", "c", "d"]


def _noise(rng: np.random.Generator, n_draws: int, d: int) -> list:
    return rng.uniform(-1, 1, (n_draws, 2, d)).round(2).tolist()


def _kept(m: int, most: int = MOST) -> list[int]:
    """Which of m records to keep: dense at the start, where most happens."""
    if m <= most:
        return list(range(m))
    return np.unique(np.round(np.linspace(0, 1, most) ** 2 * (m - 1))).astype(int).tolist()


class TrainingReplay(Opening):
    """Scrub through recorded runs of `attn.xor.train`: attention, decision, accuracy and loss at each record.

    Parameters
    ----------
    histories : dict of str to History, or to list of History
        The runs by name. Of a list (several seeds) the first is replayed, and the others give their curves. All need
        the same recorded steps. At most 25 records of a run are kept, weights with three decimals.
    then : History, optional
        Of one run alone, trained on −p(y): how it went on from there on −ln p(y). The figure marks the switch.
    run : str
        Which run is shown first. Default: the first.
    record : int
        Which record, from 0.
    draw : int, 1 … 8
        Which draw of the two noise tokens the four cases share.

    Raises
    ------
    ValueError
        If there are no runs, or their recorded steps, dimensions or heads do not fit, or `then` has several before it.
    """

    view = "training"
    in_numpy = """
        asked = {asked}  # of each head: what b asks for, W_K q / sqrt(d)
        b, c = {middle}
        ends = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])  # a and d of the four cases
        x = np.array([[0 * b + a, b, c, 0 * b + d] for a, d in ends])
        weights = softmax(x @ asked[0])
        weights_2 = softmax(x @ asked[-1])
    """

    runs = traitlets.List().tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    noise = traitlets.List().tag(sync=True)
    run = traitlets.Unicode().tag(
        sync=True, label="Run", options=lambda figure: [run["name"] for run in figure.runs]
    )
    record = traitlets.Int(0, min=0).tag(
        sync=True, label="Steps of training", max=lambda figure: len(figure.steps) - 1, step=1
    )
    draw = traitlets.Int(1, min=1, max=8).tag(
        sync=True, label="Draw of the noise", max=lambda figure: len(figure.noise), step=1
    )

    def __init__(
        self,
        histories: Mapping[str, History | Sequence[History]] | None = None,
        then: History | None = None,
        **kwargs: Any,
    ) -> None:
        if histories is not None:
            kwargs |= _runs(histories, then)
        if set(kwargs) <= set(self.trait_names()):  # or else the base says what is unknown
            if not kwargs.get("runs"):
                raise ValueError(
                    "TrainingReplay needs one run or more: histories={'two heads': train(0)}, say"
                )
            d = len(kwargs["runs"][0]["params"]["w_k"][0][0])
            kwargs.setdefault("noise", _noise(np.random.default_rng(5), 8, d))
            kwargs.setdefault("run", kwargs["runs"][0]["name"])
        super().__init__(**kwargs)

    @traitlets.validate("run")
    def _known_run(self, proposal: Any) -> str:
        names = [run["name"] for run in self.runs]
        if names and proposal.value not in names:
            raise traitlets.TraitError(f"run must be one of {', '.join(names)}, got {proposal.value!r}")
        return proposal.value

    @traitlets.validate("record")
    def _known_record(self, proposal: Any) -> int:
        if self.steps and proposal.value >= len(self.steps):
            raise traitlets.TraitError(f"record must be 0 … {len(self.steps) - 1}, got {proposal.value}")
        return proposal.value

    def limits(self) -> dict[str, list | None]:
        return {"steps": ["fixed"], "noise": ["fixed"]}

    def steps_of_lecture(self) -> list[dict]:
        last = len(self.steps) - 1
        steps = [step("before", "Before training. What do the weights say?", record=0)]
        if "switch" in self._shown:
            says = "Here the loss changes from −p to −ln p. Which case is lost, and does it come back?"
            steps.append(step("switch", says, record=self._shown["switch"]))
        sure = self._first_all_right()
        if sure not in (None, 0, last):
            says = "Here all four cases are right for the first time. What do the heads look at?"
            steps.append(step("first-right", says, record=sure))
        steps.append(step("trained", "After training. What did it find?", record=last))
        says = "The same network, with other noise in the middle. What stays?"
        steps.append(step("other-noise", says, record=last, draw=5))
        for run in self.runs:
            name, says = _told(run)
            if run["name"] != self.run and name not in [step["name"] for step in steps]:
                steps.append(step(name, says, run=run["name"], record=last))
        return steps

    def _first_all_right(self) -> int | None:
        """The first record at which the shown run has all four cases right, None if there is none."""
        for record in range(len(self.steps)):
            model = XorModel({name: np.array(value[record]) for name, value in self._shown["params"].items()})
            if (model.forward(self.x).logits.argmax(axis=1) == [0, 1, 1, 0]).all():
                return record
        return None

    @property
    def _shown(self) -> dict[str, Any]:
        return next(run for run in self.runs if run["name"] == self.run)

    @property
    def model(self) -> XorModel:
        """The network at this record, to be used like any other: `replay.model.accuracy(x, y)`."""
        return XorModel({name: np.array(value[self.record]) for name, value in self._shown["params"].items()})

    @property
    def x(self) -> np.ndarray:
        """(4, 4, d): the four cases, all with the same noise."""
        noise = np.array(self.noise[self.draw - 1])
        x = np.zeros((1, 4, noise.shape[1]))
        x[0, 1:3] = noise
        return all_cases(x)[0]

    @property
    def weights(self) -> np.ndarray:
        """What the figure draws: (n_heads, 4 cases, 4 tokens)."""
        return self.model.forward(self.x).weights.transpose(1, 0, 2)

    @property
    def decision(self) -> np.ndarray:
        """(4,): what the network gives for "a and d differ" in each case, a probability."""
        return softmax(self.model.forward(self.x).logits)[:, 1]

    def matrices(self) -> dict[str, np.ndarray]:
        p, weights = self.model.params, self.weights
        q = self.x[0, 1] @ p["w_q"] + p.get("b_q", 0.0)
        found = {"decision": self.decision[None], "weights": weights[0]}
        if len(weights) > 1:
            found["weights_2"] = weights[1]
        found["asked"] = np.einsum("hdk,hk->hd", p["w_k"], q) / np.sqrt(q.shape[-1])
        if "w_o" in p:
            found["readout"] = (p["w_o"][:, 1] - p["w_o"][:, 0]).reshape(len(weights), -1)
        else:
            found["units"] = np.maximum(self.model.forward(self.x).read @ p["w_1"] + p["b_1"], 0)
        return found

    def scalars(self) -> dict[str, float]:
        return {"accuracy": self._shown["accuracy"][self.record], "loss": self._shown["loss"][self.record]}

    def alt_text(self) -> str:
        return (
            f"Training of a network on XOR, run “{self.run}”: accuracy against the steps, with a line at 75 %, and "
            f"what the network looks at in the four cases after {self.steps[self.record]} steps."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        if "switch" in self._shown:  # as the figure itself: the weights come when it is opened
            plots.learning(figure.subplots(), self.steps, self._shown["curves"], title=self.run)
            return
        heads = [f"head {h + 1}" for h in range(len(self.weights))]
        axes: dict[str, Axes] = figure.subplot_mosaic(
            [["curve"] * len(heads), [*heads]], height_ratios=[1, 1.5]
        )
        plots.learning(axes["curve"], self.steps, self._shown["curves"], title=self.run)
        step = self.steps[self.record]
        when = f"after {step} steps" if step else "before training"
        for head, weights in zip(heads, self.weights, strict=True):
            plots.weights(axes[head], weights, rows=CASES, columns=TOKENS, title=f"{head}, {when}")


def _told(run: dict[str, Any]) -> tuple[str, str]:
    """What a lecture calls the end of a run, and what it asks there."""
    heads, at_the_wall = len(run["params"]["w_q"][0]), run["accuracy"][-1] <= 0.75
    if "probab" in run["name"]:
        return (
            "wrong-loss",
            "Trained with −p as the loss. It is surely wrong in a case. Why does so little pull there?",
        )
    if "w_1" in run["params"]:
        if at_the_wall:
            return "stuck", "The same from another seed. Which cases look alike to the ReLU layer?"
        return "relu", "A ReLU layer after the attention. How does it tell four cases apart?"
    if heads == 1:
        return "one-head", "One head, trained as long. Which case is wrong, and must one be?"
    return "two-heads", "Two heads. What does each of them look for?"


def _joined(first: History, then: History) -> History:
    """One history of both, 13 records of each; the last record of the first is where the second starts."""
    early, late = (_kept(len(one.steps), (MOST + 1) // 2) for one in (first, then))
    late = late[1:]

    def both(name: str) -> np.ndarray:
        return np.concatenate([getattr(first, name)[early], getattr(then, name)[late]])

    models = (*(first.models[i] for i in early), *(then.models[i] for i in late))
    steps = np.concatenate([first.steps[early], first.steps[-1] + then.steps[late]])
    return History(first.seed, steps, both("loss"), both("accuracy"), models, then.stopped_early)


def _runs(
    histories: Mapping[str, History | Sequence[History]], then: History | None = None
) -> dict[str, Any]:
    """Return the traits `runs` and `steps` of histories by name."""
    if then is not None:
        name, first = next(iter(histories.items()), ("", None))
        if len(histories) != 1 or not isinstance(first, History):
            raise ValueError("`then` goes on from one run alone: histories={'two heads': history}")
        found = _runs({name: _joined(first, then)})
        found["runs"][0]["switch"] = found["steps"].index(int(first.steps[-1]))
        return found
    runs: list[dict[str, Any]] = []
    steps: np.ndarray | None = None
    for name, given in histories.items():
        group = [given] if isinstance(given, History) else list(given)
        for history in group:
            if steps is not None and not np.array_equal(history.steps, steps):
                raise ValueError(f"all runs must be recorded at the same steps; {name!r} differs")
            steps = history.steps
        keep = _kept(len(group[0].steps))
        params: dict[str, list] = {key: [] for key in group[0].model.params}
        if group[0].model.n_heads not in (1, 2):
            raise ValueError(
                f"the figure shows runs with one head or two; {name!r} has {group[0].model.n_heads}"
            )
        for index in keep:
            for key, value in group[0].models[index].params.items():
                params[key].append(np.round(value, 3).tolist())
        runs.append(
            {
                "name": name,
                "params": params,
                "accuracy": np.round(group[0].accuracy[keep], 4).tolist(),
                "loss": np.round(group[0].loss[keep], 4).tolist(),
                "curves": [np.round(history.accuracy[keep], 3).tolist() for history in group],
            }
        )
    if steps is None:
        raise ValueError("histories must hold one run or more")
    if len({len(run["params"]["w_k"][0][0]) for run in runs}) > 1:
        raise ValueError("all runs must have tokens of the same size")
    return {"runs": runs, "steps": [int(step) for step in np.asarray(steps)[_kept(len(steps))]]}
