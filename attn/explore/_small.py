"""Small figures: one idea, one control, a picture from shared parts.

A subclass of :class:`Small` states the traits that the reader moves, mostly one, what the picture is made of
(``made_of``, a list of what the functions below return), its question, the program that gives its numbers
(``in_numpy``, which a reader can copy), and what is said of a state. All else is shared: the drawing
(``js/draw/small.js``), the picture for paper, the text for who does not see it, and the tests.

A control has finitely many values. So the page gets a table, :attr:`Small.table`, of what the figure shows in each
state, and computes nothing.

Each part shows arrays of :meth:`Small.numbers` by their names; what it shows stands in the page as ``data-matrix``.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import traitlets

from attn._numbers import number
from attn.explore._base import Explorable, Figure
from attn.practice.reports import REPORTS, question_of
from attn.softmax import softmax

Ends = tuple[float, float]
Numbers = dict[str, np.ndarray]
ROLES = ("q", "k", "v", "ink")


def _part(kind: str, name: str, ends: Ends | None, role: str = "ink", **stated: Any) -> dict[str, Any]:
    if role not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}, got {role!r}")
    given = {key: list(value) if isinstance(value, tuple | range) else value for key, value in stated.items()}
    return {"kind": kind, "name": name, "ends": ends and list(ends), "role": role, **given}


def columns(
    name: str, label: str, *, names: Sequence[str], ends: Ends, role: str = "v", weight: bool = False
) -> dict[str, Any]:
    """Upright bars over ``ends``, one for each entry of a matrix of one row; below zero they hang.

    Parameters
    ----------
    name : which of the figure's numbers: an array (1, n)
    label : what stands above
    names : what stands below each bar
    ends : the scale
    role : whose they are: "q", "k", "v" or "ink"
    weight : whether they are written as weights are
    """
    return _part("columns", name, ends, role, label=label, names=list(names), weight=weight)


def curve(
    name: str,
    label: str,
    *,
    y: Ends,
    names: Sequence[str] = ("",),
    axes: tuple[str, str] = ("", ""),
    ticks: tuple[Sequence[float], Sequence[float]],
    x: Ends | None = None,
    at: str = "",
    power_of_two: bool = False,
    points: int = 81,
) -> dict[str, Any]:
    """Curves over one variable, with the present point of each.

    Parameters
    ----------
    name : which of the figure's numbers: an array (n, m), a row for each curve, over m equal steps of x.
        The present points are the numbers ``name_now``, an array (n, 1); those are what the page shows as a matrix.
    label : what the picture is called
    y : the scale
    names : what stands at the end of each curve
    axes : what is written at the two axes
    ticks : where the axes are marked
    x, at : the scale, and the number that is the present x; by themselves those of the figure's control
    power_of_two : whether a tick at x stands for 2 to the x
    points : m
    """
    return _part(
        "curve", name, y, label=label, x=x, names=list(names), axes=axes, ticks=[list(t) for t in ticks], at=at,
        power=power_of_two, points=points,
    )  # fmt: skip


def histogram(
    name: str,
    law: str,
    label: str,
    *,
    x: Ends,
    top: float,
    ticks: Sequence[float],
    axis: str,
) -> dict[str, Any]:
    """Shares of equal bins of x as boxes, arrays (1, n), and what a law expects of each as a line."""
    return _part("histogram", name, (0, top), law=law, label=label, x=x, ticks=list(ticks), axis=axis)


def grid(
    name: str,
    label: str,
    *,
    rows: Sequence[str],
    cols: Sequence[str],
    weight: bool = True,
    ends: Ends = (0, 1),
    role: str = "ink",
) -> dict[str, Any]:
    """A matrix with its numbers, up to eight on a side, or with colors alone."""
    return _part("grid", name, ends, role, label=label, rows=list(rows), cols=list(cols), weight=weight)


def line(
    name: str,
    label: str,
    *,
    names: Sequence[str],
    ends: Ends,
    weights: str,
    result: str,
    says: str,
    ticks: Sequence[float],
) -> dict[str, Any]:
    """A number line: a disk for each of ``name`` (1, n), as large as its weight, and a mark at ``result`` (1, 1)."""
    return _part(
        "line", name, ends, "v", label=label, names=list(names), weights=weights, result=result, says=says,
        ticks=list(ticks),
    )  # fmt: skip


def plane(
    label: str,
    *,
    reach: float,
    arrows: dict[str, tuple[Sequence[str], str]] | None = None,
    points: dict[str, tuple[Sequence[str], str]] | None = None,
    segments: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """A square piece of the plane, −reach … reach both ways.

    Parameters
    ----------
    label : what the picture is called
    reach : how far it goes
    arrows : number's name (n, 2) -> (what its arrows are called, role); arrows start in the middle
    points : number's name (n, 2) -> (what each is called, role)
    segments : pairs of numbers' names, (1, 2) each: a dashed line from one to the other
    """
    marks = {**(arrows or {}), **(points or {})}
    return _part(
        "plane", next(iter(marks)), (-reach, reach), label=label,
        arrows=[[name, list(told), role] for name, (told, role) in (arrows or {}).items()],
        points=[[name, list(told), role] for name, (told, role) in (points or {}).items()],
        segments=[list(pair) for pair in segments],
    )  # fmt: skip


def figures(**labels: str) -> dict[str, Any]:
    """Numbers, each with what it is called: ``figures(variance="variance of the score")``; arrays of one entry."""
    return _part("figures", next(iter(labels)), None, names=list(labels), labels=list(labels.values()))


MOST = 2000  # states of a table


def parameters_of(kind: type) -> str:
    """What a reader may set, for a docstring: each trait of a class with its type, its ends or options, its label."""
    lines = ["Parameters", "----------"]
    for name, trait in vars(kind).items():
        match trait:
            case traitlets.Enum():
                told = "{" + ", ".join(map(repr, trait.values or ())) + "}"
            case traitlets.Int() | traitlets.Float():
                told = f"{type(trait).__name__.lower()} in [{number(trait.min)}, {number(trait.max)}]"
            case traitlets.TraitType():
                told = type(trait).__name__.lower()
            case _:
                continue
        lines += [f"{name} : {told}", f"    {trait.metadata['label']}"]
    return "\n".join(lines)


class Small(Explorable):
    """What all small figures share; a subclass adds traits with controls and what stands below."""

    #: What stands above the figure before the first drag.
    question: str = ""
    #: What a hand can do here; "" for "Drag the slider below." and the like.
    invite: str = ""
    #: The parts of the picture, from left to right, as the functions of this module return them.
    made_of: Sequence[dict[str, Any]] = ()
    #: `made_of`, for the page.
    parts = traitlets.List().tag(sync=True, made=True)
    #: What the figure shows in each of its states (:func:`table_of`).
    table = traitlets.Dict().tag(sync=True, made=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """A figure's docstring goes on to say what its controls are."""
        if cls.__bases__ == (Small,):
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__ or '')}\n\n{parameters_of(cls)}"
        for part in cls.made_of:
            if part.get("at") == "":
                name, trait = next(
                    one for one in vars(cls).items() if isinstance(one[1], traitlets.TraitType)
                )
                part |= {"at": name, "x": [trait.min, trait.max]}
        super().__init_subclass__(**kwargs)

    @classmethod
    def view_text(cls) -> str:
        return 'import { table } from "./draw/small.js";\nexport default table;\n' if cls.made_of else ""

    def __init__(self, report: str | None = None, **kwargs: Any) -> None:
        """`report` is the name of a report that the figure decides (``_reports``): it becomes its question."""
        if report is not None:
            kwargs["predict"] = question_of(report, type(self).__name__)
        super().__init__(**kwargs)
        self.parts = [dict(part) for part in self.made_of]
        self._tabulate()
        self.observe(self._tabulate, names=self.state_traits())
        if not self.in_numpy:
            self.numpy = self._numbers_alone()

    def _tabulate(self, change: Any = None) -> None:
        """Let `table` have the present state, too, if it lies between two that a control reaches."""
        table = table_of(type(self))
        state = [getattr(self, name) for name in table["keys"]]
        if all(value in values for value, values in zip(state, table["values"], strict=True)):
            self.table = table
        else:
            self.table = table | {"own": {"state": state, **_row(self)}}

    def limits(self) -> dict[str, list | None]:
        """A link sets what a control can."""
        table = table_of(type(self))
        rules = zip(table["keys"], table["values"], strict=True)
        return {name: ["of", *values] for name, values in rules if values != [False, True]}

    def tell(self, now: Numbers) -> str:
        """What the picture shows in the present state, whose numbers are `now`, and what that means: a sentence."""
        raise NotImplementedError

    @classmethod
    def _numbers_alone(cls) -> str:
        """A program without a formula, where a few lines hold none: the state, and what is shown of it."""
        names = [*cls.state_traits(), *cls.shown(), *cls._told()]
        return "\n".join(f"{name.removesuffix('_now')} = {{{name}}}" for name in names)

    @classmethod
    def exercises(cls) -> list[dict[str, str]]:
        """The reports that this figure decides: ``name``, ``title``, ``chapter`` and ``kind`` of each."""
        return [
            {"name": report.name, "title": report.title, "chapter": report.chapter, "kind": "report"}
            for report in REPORTS.values()
            if report.figure == cls.__name__
        ]

    def numbers(self) -> Numbers:
        """All that the picture is drawn from, by name: what :meth:`matrices` has, and curves.

        By itself what the program gives that a reader copies, ``in_numpy``; of a curve, at each of its points.
        """
        state = {name: getattr(self, name) for name in self.state_traits()}
        now = _run(self.in_numpy, state)
        ties = [name for part in self.made_of for pair in part.get("segments", ()) for name in pair]
        found = {name: now[name.removesuffix("_now")] for name in [*self.shown(), *self._told(), *ties]}
        for part in self.made_of:
            if part["kind"] == "curve":
                name, others = part["name"], tuple((state | {part["at"]: None}).items())
                found[name] = _drawn(self.in_numpy, name, part["at"], (*part["x"], part["points"]), others)
                found[f"{name}_now"] = np.reshape(now[name], (-1, 1))
        return {name: np.atleast_2d(np.asarray(value, dtype=float)) for name, value in found.items()}

    def curve(self, of: Callable[[np.ndarray], np.ndarray], points: int) -> Numbers:
        """The numbers of the figure's curve: a function of x at equal steps of its scale, and where it is now."""
        (part,) = (part for part in self.made_of if part["kind"] == "curve")
        (low, high), now = part["x"], np.array([float(getattr(self, part["at"]))])
        drawn = {part["name"]: np.linspace(low, high, points), f"{part['name']}_now": now}
        return {name: np.atleast_2d(of(x)) for name, x in drawn.items()}

    @classmethod
    def shown(cls) -> list[str]:
        """Names of the numbers that stand in the page as matrices."""
        found: list[str] = []
        for part in cls.made_of:
            match part["kind"]:
                case "curve":
                    found += [f"{part['name']}_now"]
                case "histogram":
                    found += [part["name"], part["law"]]
                case "line":
                    found += [part["name"], part["weights"], part["result"]]
                case "plane":
                    found += [name for name, *_ in [*part["arrows"], *part["points"]]]
                case "figures":
                    pass
                case _:
                    found += [part["name"]]
        return list(dict.fromkeys(found))

    @classmethod
    def _told(cls) -> list[str]:
        """Names of the numbers that stand in the page by themselves."""
        return [name for part in cls.made_of if part["kind"] == "figures" for name in part["names"]]

    def matrices(self) -> dict[str, np.ndarray]:
        numbers = self.numbers()
        return {name: np.asarray(numbers[name], dtype=float) for name in self.shown()}

    def scalars(self) -> dict[str, float]:
        numbers = self.numbers()
        return {name: float(np.asarray(numbers[name]).item()) for name in self._told()}

    def alt_text(self) -> str:
        said = []
        for name in self.state_traits():
            control, value = self.control(name), getattr(self, name)
            value = dict(map(tuple, control.get("options", []))).get(value, value)
            label = control["label"].replace("*", "").replace("`", "")
            said.append(f"{label}, {value if isinstance(value, str) else number(float(value))}")
        return f"{self.shows} Here: {'; '.join(said)}."

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        from attn.explore._small_still import draw

        state = {name: getattr(self, name) for name in self.state_traits()}
        draw(plots, figure, self.made_of, state | self.numbers())


@cache
def _compiled(program: str) -> CodeType:
    """A program to be copied, its gaps `{trait}` filled by names `its_trait`."""
    return compile(re.sub(r"\{(\w+)\}", r"its_\1", inspect.cleandoc(program)), "in_numpy", "exec")


def _run(program: str, state: dict[str, Any]) -> dict[str, Any]:
    """What a program defines in a state."""
    scope = {"np": np, "softmax": softmax, **{f"its_{name}": value for name, value in state.items()}}
    exec(_compiled(program), scope)
    return scope


@cache
def _drawn(
    program: str, name: str, at: str, steps: tuple[float, float, int], others: tuple[tuple[str, Any], ...]
) -> np.ndarray:
    """A curve (n, m): what a program gives under a name at equal steps of the trait `at`; the others stay."""
    states = (dict(others) | {at: x} for x in np.linspace(*steps).tolist())
    return np.array([np.ravel(_run(program, state)[name]) for state in states], dtype=float).T


def values_of(control: dict[str, Any], whole: bool) -> list[Any]:
    """All values that a control can take, from what the page is told of it; `whole` where they are whole numbers."""
    if "options" in control:
        return [value for value, _ in control["options"]]
    if "step" not in control:
        return [False, True]
    low, high, step = (control[name] for name in ("min", "max", "step"))
    values = [low + step * i for i in range(round((high - low) / step) + 1)]
    return [round(value) if whole else round(float(value), 12) for value in values]


_TABLES: dict[type[Small], dict[str, Any]] = {}


def table_of(kind: type[Small]) -> dict[str, Any]:
    """What a small figure shows in each state that its controls reach; each class is asked once.

    Returns
    -------
    table : dict
        ``question`` and ``invite``; ``keys``, the traits with a control, and ``values``, a list for each; then for each
        state, the last key running fastest, ``says``, a sentence, and ``numbers``, by name {"each": an array a state}
        or {"all": array}, where they are the same in all.

    Raises
    ------
    ValueError
        If there are more than 2,000 states.
    """
    if kind in _TABLES:
        return _TABLES[kind]
    figure = kind.__new__(kind)  # its traits, without a wire to a page
    keys = kind.state_traits()
    traits = kind.class_traits()
    values = [values_of(figure.control(key), isinstance(traits[key], traitlets.Int)) for key in keys]
    if prod(map(len, values)) > MOST:
        raise ValueError(
            f"{kind.__name__} has {prod(map(len, values)):,} states, more than {MOST:,}: take longer steps"
        )
    rows = []
    for state in product(*values):
        for key, value in zip(keys, state, strict=True):
            setattr(figure, key, value)
        rows.append(_row(figure))
    each = {name: [row["numbers"][name] for row in rows] for name in rows[0]["numbers"]}
    numbers = {
        name: {"all": all_[0]} if all(one == all_[0] for one in all_) else {"each": all_}
        for name, all_ in each.items()
    }
    _TABLES[kind] = {
        "question": kind.question,
        "invite": kind.invite,
        "keys": keys,
        "values": values,
        "says": [row["says"] for row in rows],
        "numbers": numbers,
    }
    return _TABLES[kind]


def _row(figure: Small) -> dict[str, Any]:
    """What a figure shows in its present state: its numbers, as nested lists, and its sentence."""
    now = figure.numbers()
    numbers = {name: np.atleast_2d(np.asarray(value, dtype=float)).tolist() for name, value in now.items()}
    return {"numbers": numbers, "says": figure.tell(now)}
