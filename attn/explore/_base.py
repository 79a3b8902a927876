"""What all explorables share: one widget class, its JavaScript joined into one module, a static fallback.

An explorable is an ``anywidget.AnyWidget``, so a real ipywidget: ``observe``, ``link`` and ``HBox`` work. Its
traits are the reader's state. A subclass adds traits, says which view in ``js/`` draws it, and computes the same
numbers in NumPy (:meth:`Explorable.matrices`): that twin gives the picture for paper, and is what the browser is
tested against.

What a control is called, how far it goes and in which steps, stands beside its trait, as tags::

    nudge = traitlets.Float(0.0, min=-3, max=3).tag(sync=True, label="Nudge the key", step=0.1)
    asks = traitlets.Unicode().tag(sync=True, label="Who asks", options=lambda figure: figure.tokens)

The view gets that as ``controls``, places the control where it belongs, and states none of it again. A tag may be a
function of the figure. What the figure is given and no reader changes is tagged ``state=False``, and what it makes
itself, so that nobody can give it, ``made=True``.
"""

import inspect
import io
import os
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError('attn.explore needs anywidget: pip install "attention-by-hand[explore]"') from error

from attn.explore import _question
from attn.explore._share import check_lecture, rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:
    Axes = Figure = Any  # for hints: matplotlib is imported when a picture is drawn

JS = Path(__file__).parent / "js"
#: Where the views are; those in a folder of ``js/`` are called by their names alone.
FOLDERS = (JS, JS / "ladders")

#: The tags of a matrix whose entries the reader sets: how far each goes, and in which steps.
ENTRIES = {"min": -3, "max": 3, "step": 0.1}
#: The tags that reach the page, in this order.
TAGS = ("label", "options", "min", "max", "step", "power")

#: Views without a file, by name: the text of each (``_small``, whose figures are tables).
MADE: dict[str, str] = {}

_VIEW = re.compile(r"^import \{ default as (\w+) \} from \"\.\.?/(?:\w+/)*(\w+)\.js\";\n", re.MULTILINE)
_IMPORT = re.compile(r"^import \{[^}]*\} from \"(\.\.?/[\w/]+)\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |async function |class )", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_DEFAULT = re.compile(r"^export default (?=[{\w])", re.MULTILINE)


def path_of(name: str) -> Path:
    """The file of a module; views in a folder of ``js/`` are called by their names alone."""
    if name in MADE:
        return JS / f"{name}.js"  # as if it stood there
    return next((path for folder in FOLDERS if (path := folder / f"{name}.js").exists()), JS / f"{name}.js")


def _text(name: str) -> str:
    return MADE.get(name) or path_of(name).read_text(encoding="utf-8")


def bare(module: str) -> str:
    """The text of a module without its imports, named exports and comments, ready to be joined with what it needs."""
    return _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", module)))


@cache
def module_source(name: str) -> str:
    """``js/<name>.js``, ready to be joined with what it imports."""
    return bare(_text(name))


@cache
def imports(name: str) -> tuple[str, ...]:
    """Names of the modules that ``js/<name>.js`` imports, as they are called from ``js/``: "core", "draw/plane".

    A view that it imports (``import { default as … }``) is no shared module: what that one imports stands here.
    """
    here, text = path_of(name).parent, _text(name)
    own = (
        (here / path).resolve().relative_to(JS.resolve()).as_posix()
        for path in _IMPORT.findall(_VIEW.sub("", text))
    )
    below = (module for _, view in _VIEW.findall(text) for module in imports(view))
    return tuple(dict.fromkeys([*below, *own]))


def parts(*views: str) -> list[str]:
    """The shared modules that some views need, each after all that it imports itself."""
    order: list[str] = []

    def visit(name):
        for below in imports(name):
            visit(below)
            if below not in order:
                order.append(below)

    for view in views:
        visit(view)
    return order


def view_names() -> list[str]:
    """Names of all views: the modules in ``js/`` that draw a figure, and those that have no file."""
    written = (
        path.stem
        for folder in FOLDERS
        for path in folder.glob("*.js")
        if "export default" in path.read_text(encoding="utf-8")
    )
    return sorted([*written, *MADE])


def view_scope(view: str) -> str:
    """A view as an expression with a scope of its own: its names can't collide with the shared parts."""
    inner = "".join(f"const {name} = {view_scope(other)};\n" for name, other in _VIEW.findall(_text(view)))
    return f"(() => {{\n{inner}{_DEFAULT.sub('return ', module_source(view))}\n}})()"


@cache
def joined_module(view: str) -> str:
    """One ES module from a view and the shared modules that it needs.

    anywidget loads a module from a blob address, from where relative imports can't resolve; so they are joined.
    """
    shared = "\n".join(map(module_source, parts(view)))
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
    #: What `picture` says; "" where the figure has no picture beside its numbers.
    shows: str = ""
    #: What *Copy as NumPy* copies: a program that gives the figure's numbers. `{name}` in it becomes the value of a
    #: trait, or of a number that the view computes; `softmax` may be called. "" where a program would say nothing.
    in_numpy: str = ""

    alt = traitlets.Unicode().tag(sync=True)
    #: What the page calls the figure: the class's name.
    called = traitlets.Unicode().tag(sync=True, made=True)
    #: What the figure's picture shows in any of its states; `alt` goes on to say what the present one is.
    picture = traitlets.Unicode().tag(sync=True, made=True)
    #: The program for the page, which fills in the state.
    numpy = traitlets.Unicode().tag(sync=True, made=True)
    #: What a link may set each trait to (see ``_share``).
    rules = traitlets.Dict().tag(sync=True, made=True)
    #: What the reader's state is made of, by name: the label, options, ends and step of each trait's control, {} where
    #: it has none; and under an input's name, ``faders.0``, what that entry has of its own.
    controls = traitlets.Dict().tag(sync=True, made=True)
    #: Named states, each with a button: {"name", "label", "changes"}.
    stories = traitlets.List().tag(sync=True, made=True)
    #: Named states, to step through in a lecture: each {"name", "says", "changes"}, changes from the first state.
    lecture = traitlets.List().tag(sync=True)
    #: A question that stands in the figure until the first drag answers it (see ``_question.asked``); {} for none.
    predict = traitlets.Dict().tag(sync=True)
    #: What the reader predicted: the index of an option, or a number; None before. It is nobody else's: no link has it.
    answer = traitlets.Float(None, allow_none=True).tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """A figure's view is the one that is called as its class is, if the class names no other."""
        own = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__).lower()
        if not cls.view and (cls.view_text() or path_of(own).exists()):
            cls.view = own
        if "view" in cls.__dict__:  # not in the classes that traitlets derives when it adds a trait
            if text := cls.view_text():
                MADE[cls.view] = text
            cls._esm = joined_module(cls.view)
            cls._css = stylesheet()
        super().__init_subclass__(**kwargs)

    def __init__(self, **kwargs: Any) -> None:
        unknown = set(kwargs) - set(self.trait_names())
        if unknown:
            known = sorted(name for name, trait in self.traits().items() if trait.this_class is type(self))
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(sorted(unknown))}; it has {', '.join(known)}"
            )
        steps = kwargs.pop("lecture", None)
        for made_here in self.trait_names(made=True):
            kwargs.pop(made_here, None)
        if asks := kwargs.pop("predict", None):
            kwargs["predict"] = _question.asked(**asks)
            if unknown := set(kwargs["predict"]["about"]) - set(self.own_traits()):
                raise ValueError(f"about must name traits of {type(self).__name__}, got {sorted(unknown)}")
        plain = {
            name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in kwargs.items()
        }
        super().__init__(**plain)
        self.called, self.picture = type(self).__name__, self.shows
        self.numpy = inspect.cleandoc(self.in_numpy)
        self._describe()
        self.observe(self._describe, names=self.own_traits())
        self.controls = {name: self.control(name) for name in self.state_traits()} | self.entry_controls()
        self.stories = self.stories_told()
        self.rules = rules(self, self.own_traits())
        self.lecture = self.steps_of_lecture() if steps is None else list(steps)
        check_lecture(self, self.lecture, self.rules)

    def _describe(self, change: Any = None) -> None:
        """Let `alt` say what the present state is."""
        try:
            alt = self.alt_text()
        except (IndexError, KeyError, ValueError):
            if change is None:
                raise
            return  # traits that are set one by one may not fit together until the last one is
        asked = {} if self.view == "predict" else self.predict  # a question alone is the whole figure
        self.alt = f"{_question.alt(asked)} {alt}" if asked else alt

    @classmethod
    def view_text(cls) -> str:
        """The view's text, where no file in ``js/`` has it."""
        return ""

    @classmethod
    def own_traits(cls) -> list[str]:
        """Names of the traits that are the figure's state, in the order in which its class has them."""
        names = [
            name
            for kind in reversed(cls.__mro__)
            if issubclass(kind, Explorable) and kind.view  # not in Explorable and other frames
            for name in vars(kind)
            if not name.startswith("_")
        ]
        return [name for name in dict.fromkeys(names) if name in cls.class_traits(sync=True)]

    @classmethod
    def state_traits(cls) -> list[str]:
        """Names of the traits that the reader changes: all of its own but those tagged ``state=False``."""
        traits = cls.class_traits()
        return [name for name in cls.own_traits() if traits[name].metadata.get("state", True)]

    def control(self, name: str) -> dict:
        """What the page is told of a trait's control: its tags, and the trait's own ends where it has a step."""
        trait = self.traits()[name]
        tags = {key: trait.metadata[key] for key in TAGS if key in trait.metadata}
        if "step" in tags:
            ends = ((end, getattr(trait, end, None)) for end in ("min", "max"))
            tags = {end: value for end, value in ends if value is not None and np.isfinite(value)} | tags
        found = {key: value(self) if callable(value) else value for key, value in tags.items()}
        if "options" in found:
            options = found["options"]
            pairs = options.items() if isinstance(options, dict) else ((option, option) for option in options)
            found["options"] = [[value, text] for value, text in pairs]
        return {key: found[key] for key in TAGS if key in found}

    @property
    def right(self) -> bool | None:
        """Whether the reader's prediction is right; None before there is one."""
        return _question.is_right(self.predict, self.answer)

    def limits(self) -> dict[str, list | None]:
        """Rules that a trait and its control can't tell, by name; None for a trait that is no part of the state."""
        return {}

    def entry_controls(self) -> dict[str, dict]:
        """What the control of one entry of a trait has of its own, by its input's name: {"faders.0": {"label": …}}."""
        return {}

    def stories_told(self) -> list[dict]:
        """The states that buttons lead to, as :func:`story` makes them."""
        return []

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

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        """Draw the present state into a matplotlib figure; `plots` is `attn.show.plots`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{name} {'×'.join(map(str, value.shape))}" for name, value in self.matrices().items()
        )
        return f"<{type(self).__name__}: {shapes}>" if shapes else f"<{type(self).__name__}>"

    def still(self) -> Figure:
        """The present state as a matplotlib figure in the book's look."""
        from matplotlib.figure import Figure

        from attn.show import plots

        with plots.style():
            figure = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
            self.draw_fallback(figure, plots)
        return figure

    def lines_above(self) -> list[str]:
        """What stands above the picture on GitHub: the question, and its answers."""
        return _question.lines(self.predict, 70) if self.predict and self.view != "predict" else []

    def png(self) -> bytes:
        """The fallback picture: for paper, for GitHub, and for readers without JavaScript."""
        from attn.show import plots

        buffer = io.BytesIO()
        with plots.style():
            figure = self.still()
            if lines := self.lines_above():
                wide, high = figure.get_size_inches()
                figure.set_size_inches(max(wide, 6.4), high + 0.22 * len(lines))
                figure.suptitle("\n".join(lines), x=0.02, ha="left", fontsize=10.5)
            figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data = {**(data or {}), "text/plain": repr(self)}
        if os.environ.get("ATTN_STILLS"):  # the book's build
            from attn.show.plots import style
            from attn.show.stills import still

            with style():
                data["image/svg+xml"] = still(self.still())
        else:
            import base64

            data["image/png"] = base64.b64encode(self.png()).decode("ascii")
        return data, metadata


class Opening(Explorable):
    """A figure whose weights open: `opened` is whether "Open the weights" is open."""

    opened = traitlets.Bool(False).tag(sync=True)

    @classmethod
    def own_traits(cls) -> list[str]:
        return [*super().own_traits(), "opened"]


def story(name: str, label: str, **changes: Any) -> dict:
    """A state with a button: the name of its action, the text of the button, and the traits that it sets.

    The button shows while the figure stands in that state.
    """
    return {"name": name, "label": label, "changes": changes}


def step(name: str, says: str, **changes: Any) -> dict:
    """A step of a lecture: the name that a link calls it by, what the reader is told, and the traits that change."""
    return {"name": name, "says": says, "changes": changes}


def as_matrix(
    name: str, value: ArrayLike, *, columns: int | None = None, rows: int | None = None
) -> list[list[float]]:
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
