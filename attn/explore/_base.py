"""What all explorables share: one widget class, its JavaScript joined into one module, a static fallback.

An explorable is an ``anywidget.AnyWidget``, so a real ipywidget: ``observe``, ``link`` and ``HBox`` work. Its
traits are the reader's state. A subclass adds traits, says which view in ``js/`` draws it, and computes the same
numbers in NumPy (:meth:`Explorable.matrices`): that twin gives the picture for paper, and is what the browser is
tested against.
"""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from attn.explore import _question
from attn.explore._share import check_lecture, rules

JS = Path(__file__).parent / "js"
SHARED = ("core", "number", "draw")

_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./\w+\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |async function |class )", re.MULTILINE)


@cache
def module_source(name: str) -> str:
    """Text of ``js/<name>.js`` without its imports and named exports, ready to be joined with what it imports."""
    return _EXPORT.sub("", _IMPORT.sub("", (JS / f"{name}.js").read_text(encoding="utf-8")))


def view_scope(view: str) -> str:
    """A view as an expression with a scope of its own: its names can't collide with the shared parts."""
    body = module_source(view).replace("export default { render };", "return { render };")
    return f"(() => {{\n{body}\n}})()"


@cache
def joined_module(view: str) -> str:
    """One ES module from ``core.js``, ``number.js``, ``draw.js`` and a view.

    anywidget loads a module from a blob address, from where relative imports can't resolve; so they are joined.
    """
    shared = "\n".join(module_source(name) for name in SHARED)
    return f"{shared}\nexport default {view_scope(view)};\n"


@cache
def stylesheet() -> str:
    """The one stylesheet of all explorables."""
    return (JS / "explore.css").read_text(encoding="utf-8")


class Explorable(anywidget.AnyWidget):
    """Base of all explorables.

    Subclasses set ``view`` (the module in ``js/``), give traits tagged ``sync=True``, and define :meth:`matrices`,
    :meth:`alt_text` and :meth:`draw_fallback`.
    """

    view: str = ""
    #: Height in pixels that a page keeps free for the figure, by the least width of its column: 0 for a phone, and
    #: 684 for a laptop, where both sidebars leave 688 (book.css).
    heights: dict[int, int] = {}

    alt = traitlets.Unicode().tag(sync=True)
    reserve = traitlets.List().tag(sync=True)
    #: What a link may set each trait to (see ``_share``).
    rules = traitlets.Dict().tag(sync=True)
    #: Named states, to step through in a lecture: each {"name", "says", "changes"}, changes from the first state.
    lecture = traitlets.List().tag(sync=True)
    #: A question that stands in the figure until the first drag answers it (see ``_question.asked``); {} for none.
    predict = traitlets.Dict().tag(sync=True)
    #: What the reader predicted: the index of an option, or a number; None before. It is nobody else's: no link has it.
    answer = traitlets.Float(None, allow_none=True).tag(sync=True)

    def __init_subclass__(cls, **kwargs):
        if "view" in cls.__dict__:  # not in the classes that traitlets derives when it adds a trait
            cls._esm = joined_module(cls.view)
            cls._css = stylesheet()
        super().__init_subclass__(**kwargs)

    def __init__(self, **kwargs):
        unknown = set(kwargs) - set(self.trait_names())
        if unknown:
            known = sorted(name for name, trait in self.traits().items() if trait.this_class is type(self))
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(sorted(unknown))}; it has {', '.join(known)}"
            )
        steps = kwargs.pop("lecture", None)
        kwargs.pop("rules", None)
        if asks := kwargs.pop("predict", None):
            kwargs["predict"] = _question.asked(**asks)
        plain = {
            name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in kwargs.items()
        }
        super().__init__(**plain)
        self._describe()
        self.observe(self._describe, names=self.own_traits())
        self.rules = rules(self, self.own_traits())
        self.lecture = self.steps_of_lecture() if steps is None else list(steps)
        check_lecture(self, self.lecture, self.rules)

    def _describe(self, change=None):
        """Let `alt` and `reserve` say what the present state is."""
        try:
            alt, heights = self.alt_text(), self.heights
        except (IndexError, KeyError, ValueError):
            if change is None:
                raise
            return  # traits that are set one by one may not fit together until the last one is
        asked = {} if self.view == "predict" else self.predict  # a question alone is the whole figure
        self.alt = f"{_question.alt(asked)} {alt}" if asked else alt
        self.reserve = [
            [least, height + (self._asking(least) if asked else 0)]
            for least, height in sorted(heights.items())
        ]

    @classmethod
    def own_traits(cls) -> list[str]:
        """Names of the traits that are the figure's state, in the order in which its class has them."""
        names = [
            name
            for kind in reversed(cls.__mro__)
            if issubclass(kind, Explorable) and kind is not Explorable
            for name in vars(kind)
            if not name.startswith("_")
        ]
        return [name for name in dict.fromkeys(names) if name in cls.class_traits(sync=True)]

    def _asking(self, least):
        """How much higher the figure is with its question than with the one that its view has, in pixels."""
        return _question.height(self.predict, least) - (67 if least else 112)

    @property
    def right(self) -> bool | None:
        """Whether the reader's prediction is right; None before there is one."""
        return _question.is_right(self.predict, self.answer)

    def limits(self) -> dict[str, list | None]:
        """Rules that the types of the traits can't tell, by name; None for a trait that is no part of the state."""
        return {}

    def steps_of_lecture(self) -> list[dict]:
        """The named states that a lecture steps through where none are given: {"name", "says", "changes"} each."""
        return []

    def matrices(self) -> dict[str, np.ndarray]:
        """Every matrix that the figure shows, by its ``data-matrix`` name, in NumPy from the present traits."""
        return {}

    def scalars(self) -> dict[str, float]:
        """Every scalar that the figure shows, by its ``data-scalar`` name."""
        return {}

    def alt_text(self) -> str:
        """What the fallback picture shows, in a sentence."""
        raise NotImplementedError

    def draw_fallback(self, figure) -> None:
        """Draw the present state into a matplotlib figure."""
        raise NotImplementedError

    def __repr__(self):
        shapes = ", ".join(
            f"{name} {'×'.join(map(str, value.shape))}" for name, value in self.matrices().items()
        )
        return f"<{type(self).__name__}: {shapes}>" if shapes else f"<{type(self).__name__}>"

    def png(self) -> bytes:
        """The fallback picture: for paper, for GitHub, and for readers without JavaScript."""
        from matplotlib.figure import Figure

        from attn import plots

        with plots.style():
            figure = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
            self.draw_fallback(figure)
            if self.predict and self.view != "predict":  # on paper and on GitHub it is asked too
                lines = _question.lines(self.predict, 70)
                wide, high = figure.get_size_inches()
                figure.set_size_inches(max(wide, 6.4), high + 0.22 * len(lines))
                figure.suptitle("\n".join(lines), x=0.02, ha="left", fontsize=10.5)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        import base64

        data = {**data, "text/plain": repr(self), "image/png": base64.b64encode(self.png()).decode("ascii")}
        return data, metadata


def step(name: str, says: str, **changes) -> dict:
    """A step of a lecture: the name that a link calls it by, what the reader is told, and the traits that change."""
    return {"name": name, "says": says, "changes": changes}


def as_matrix(name: str, value, *, columns: int | None = None, rows: int | None = None) -> list[list[float]]:
    """Check a matrix given by the reader and make it a list of lists.

    Raises
    ------
    ValueError
        If it is not two-dimensional, not finite, or not of the expected size; the message states both.
    """
    array = np.asarray(value, dtype=float)
    if (
        array.ndim != 2
        or (rows is not None and array.shape[0] != rows)
        or (columns is not None and array.shape[1] != columns)
    ):
        expected = f"({'n' if rows is None else rows}, {'d' if columns is None else columns})"
        raise ValueError(f"{name} must have shape {expected}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite numbers, got NaN or infinity")
    return array.tolist()
