"""Runs a page's cells in Pyodide: one namespace, output in order and of limited length, errors with their place.

The worker (``worker.js``) calls `start` once, then `run` for each cell. What a cell shows goes to the worker's function
`send` as a dict at once, so that a long loop is seen at work:

* ``{"text": …}``: what was printed, or the text of a value,
* ``{"html": …}``: a table, a picture; the page takes out of it what could run,
* ``{"figure": id, …}``: a figure that the page draws (``page_figures``),
* ``{"clear": True}``: forget what came so far.
"""

import ast
import builtins
import errno
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import io
import itertools
import linecache
import logging
import os
import sys
import time
import traceback
import types
import warnings
from typing import Any

LONGEST = 20_000  # characters that a cell may print
MOST = 40  # tables, pictures and figures that it may show
MOST_LINES = 3  # of an error's message, before a reader asks for the whole
EVERY = 0.1  # seconds between two pieces of what is printed

_send: Any = None
_namespace: dict[str, Any] = {"__name__": "__main__"}
_shown = 0
_pictures_made = itertools.count()
_restore_builtins = functools.partial(vars(builtins).update, dict(vars(builtins)))  # a cell may delete them


class _Late:
    """A figure's class that no cell has used yet: a page's first cell names them all, and most are never made."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(_really("attn.explore"), self._name)(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(_really("attn.explore"), self._name), name)


class _StandIn(types.ModuleType):
    """Stands for ``attn.explore`` or ``attn.check`` until a figure is made or an answer checked: they come later."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        if self.__name__ == "attn.explore":
            if name[:1].isupper() and not name.isupper():
                return _Late(name)
            try:
                return importlib.import_module(f"attn.explore.{name}")  # a module of it alone
            except ModuleNotFoundError:
                pass
        return getattr(_really(self.__name__), name)

    def __dir__(self) -> list[str]:
        return dir(_really(self.__name__))


def _really(name: str) -> Any:
    """The module for which another may stand; where it can't be had, the other stands for it again."""
    stand_in = sys.modules.get(name)
    if isinstance(stand_in, _StandIn):
        del sys.modules[name]
        try:
            return importlib.import_module(name)
        except BaseException:
            sys.modules[name] = stand_in
            raise
    return importlib.import_module(name)


class _Finder(importlib.abc.MetaPathFinder):
    """Asked for what isn't here: gets the archive that has it, and looks again."""

    def __init__(self, more: Any, modules: dict[str, list[str]]) -> None:
        self._more = more
        self.archives = {name: archive for archive, inside in modules.items() for name in inside}
        self._places: dict[str, str] = {}  # of the archives that came: where each is

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        within = name  # of a package some modules are in one archive and the rest in another: the longest name counts
        while within and within not in self.archives:
            within = within.rpartition(".")[0]
        if not within:
            return None
        archive = self.archives[within]
        place = self.get(archive, name)
        if archive == "library" and path:  # a package of which a part was here has its other parts there
            path = [*path, *(f"{place}/{one.partition('.zip/')[2]}" for one in path if ".zip/" in one)]
        return importlib.machinery.PathFinder.find_spec(name, path)

    def get(self, archive: str, name: str) -> str:
        """The folder where an archive's modules are, got if it isn't here; `name` asked for it."""
        if archive not in self._places:
            try:
                self._places[archive] = self._more(archive)
            except Exception as error:
                raise ImportError(f"{name} could not be loaded: {error}") from None
            sys.path_importer_cache.clear()
            if archive == "figures":  # the page's end of a figure's wire, before ipywidgets makes one
                importlib.import_module("page_figures").start(_send)
        return self._places[archive]


class _Packages(importlib.abc.MetaPathFinder):
    """Asked before all others: a package whose rest came first would be a folder without a file of its own."""

    def __init__(self, finder: _Finder) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        archive = None if "." in name else self._finder.archives.get(name)
        if archive not in (None, "library"):
            self._finder.get(archive, name)
        return None


def start(send: Any, more: Any, modules: dict[str, list[str]]) -> None:
    """`send` takes a dict of what a cell shows; `more` gets an archive, of which `modules` names what is inside."""
    global _send
    _send = send
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells that it makes its list of fonts
    # The page itself shows what pyplot holds.
    warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
    (package,) = importlib.util.find_spec("attn").submodule_search_locations  # type: ignore[union-attr, misc]
    for name in ("explore", "check"):
        stand_in = sys.modules[f"attn.{name}"] = _StandIn(f"attn.{name}")
        stand_in.__path__ = [f"{package}/{name}"]
        setattr(importlib.import_module("attn"), name, stand_in)
    finder = _Finder(more, modules)
    sys.meta_path[:] = [_Packages(finder), *sys.meta_path, finder]
    read_lines = linecache.updatecache

    def read(file: str, module_globals: Any = None) -> list[str]:
        if file.startswith(f"{package}/") and not os.path.exists(file):
            try:
                finder.get("sources", file)
            except ImportError:
                pass  # a traceback without its lines
        return read_lines(file, module_globals)

    linecache.updatecache = read


class Printed(io.TextIOBase):
    """Standard output of a cell: sent in pieces, and cut."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.parts, self.length, self.sent, self.left = [], 0, 0.0, 0  # the first piece goes at once

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        room = LONGEST - self.length
        if room > 0:
            self.parts.append(text[:room])
            self.length += min(len(text), room)
            if time.monotonic() - self.sent > EVERY:
                self.flush()
        self.left += max(len(text) - max(room, 0), 0)
        return len(text)

    def flush(self) -> None:
        if self.parts:
            _send({"text": "".join(self.parts)})
        self.parts, self.sent = [], time.monotonic()

    def end(self) -> None:
        self.flush()
        if self.left:
            _send({"text": f"\n… {self.left:,} more characters: the page shows the first {LONGEST:,}.\n"})


def give(bundle: dict[str, Any]) -> None:
    """Show a value by the best of the kinds that it has."""
    global _shown
    sys.stdout.flush()
    _shown += 1
    if _shown > MOST:
        if _shown == MOST + 1:
            _send({"text": f"… The page shows the first {MOST} tables and pictures of a cell.\n"})
        return
    for kind in ("text/html", "image/svg+xml"):
        if isinstance(bundle.get(kind), str):
            _send({"html": bundle[kind][:2_000_000]})
            return
    text = str(bundle.get("text/plain", ""))
    cut = f"\n… {len(text) - LONGEST:,} more characters" if len(text) > LONGEST else ""
    _send({"text": f"{text[:LONGEST]}{cut}\n"})


def show(value: Any) -> None:
    """Show a value as a notebook does: by its kinds if it has some, or else by its text."""
    if _is(value, "ipywidgets", "Widget"):
        sys.stdout.flush()
        _send(sys.modules["page_figures"].opened(value))
        return
    if _is(value, "matplotlib.figure", "Figure"):
        give({"text/html": _picture(value)})
        return
    if callable(own := getattr(type(value), "_ipython_display_", None)):
        own(value)
        return
    bundle: Any = None
    if callable(kinds := getattr(type(value), "_repr_mimebundle_", None)):
        bundle = kinds(value)
        bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    if bundle is None and callable(markup := getattr(type(value), "_repr_html_", None)):
        bundle = {"text/html": markup(value)}
    give(bundle or {"text/plain": repr(value)})


def clear() -> None:
    """Forget what the cell has shown so far."""
    sys.stdout.flush()
    _send({"clear": True})


def _is(value: Any, module: str, kind: str) -> bool:
    """Whether a value is of a class whose module has been imported."""
    found = getattr(sys.modules.get(module), kind, None)
    return isinstance(found, type) and isinstance(value, found)


def _picture(figure: Any) -> str:
    """A matplotlib figure in the page's colors and type, as the built pages have them; in its own if it has others."""
    from attn.show.plots import style
    from attn.show.stills import flowing, still

    try:
        with style():
            return flowing(still(figure), "A picture that a cell drew", f"r{next(_pictures_made)}")
    except ValueError:
        drawn = io.StringIO()
        with sys.modules["matplotlib"].rc_context({"svg.fonttype": "none"}):
            figure.savefig(drawn, format="svg")
        picture = drawn.getvalue()
        return f'<div class="abh-ran-plot">{picture[picture.index("<svg") :]}</div>'


def _show_pictures() -> None:
    """Show what pyplot holds, and close it, as a notebook does at the end of a cell."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        for number in pyplot.get_fignums():
            show(pyplot.figure(number))
        pyplot.close("all")


def moved(figure: str, values: dict[str, Any]) -> None:
    """A reader moved a figure: its Python twin follows, and what hears that may print."""
    printed = Printed()
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    try:
        sys.modules["page_figures"].moved(figure, values)
    except Exception as error:  # noqa: BLE001 - a reader's function that observes
        print(_in_words(error))
    finally:
        sys.stdout, sys.stderr = before
        printed.end()


def _in_words(error: BaseException) -> str:
    """An error's own words, and what helps with those that a page has of its own."""
    said = traceback.format_exception_only(
        error
    )  # of a syntax error its lines come first, and notes come last
    lines = (said[-1] if isinstance(error, SyntaxError) else said[0]).split("\n")
    line = " ".join([one.strip() for one in lines if one.strip()][:MOST_LINES])
    if isinstance(error, ModuleNotFoundError):
        line += (
            ". A page has NumPy, matplotlib, hypothesis, attn and Python's library; nothing can be installed."
        )
    if isinstance(error, MemoryError):
        line = f"{line.rstrip(': ')}: a page has room for some hundred million numbers. `del` what is large."
    if isinstance(error, OSError) and error.errno == errno.EIO:
        line += ". A page has no input(): write the value into the code."
    if isinstance(error, RecursionError):
        line += ". A function calls itself without an end."
    return line[:2_000]


def _line_of(error: BaseException, name: str) -> int | None:
    """The line of the cell `name` at which it went wrong; None if it was in no line of it."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    return lines[-1] if lines else None


def _whole(error: BaseException) -> str:
    """The traceback from the cell on, without the lines of this file."""
    kept = traceback.TracebackException.from_exception(error, limit=-40)
    kept.stack = traceback.StackSummary.from_list(
        [frame for frame in kept.stack if frame.filename != run.__code__.co_filename]
    )
    return "".join(kept.format())[-8_000:]


def run(code: str, name: str) -> dict[str, Any]:
    """Run a cell; the value of its last line is shown, as in a notebook.

    Parameters
    ----------
    code, name : str
        Its text, and what a traceback calls it, "cell 3".

    Returns
    -------
    dict
        ``{"tried": [[exercise, passed], …]}``: what its checkers saw; and if it failed ``"error"`` (a line in words),
        ``"line"`` (a number or None) and ``"whole"`` (the traceback).
    """
    global _shown
    _restore_builtins()
    _shown = 0
    file = f"<{name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    printed = Printed()
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    results = sys.modules.get("attn.check.results")
    if results:
        results.clear()
    told: dict[str, Any] = {}
    try:
        tree = ast.parse(code, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), _namespace)  # noqa: S102 - the reader's own cell
        quiet = code.rstrip().endswith(";")
        if last is not None:
            value = eval(compile(ast.Expression(last.value), file, "eval"), _namespace)  # noqa: S307
            _namespace["_"] = value
            if value is not None and not quiet:
                show(value)
        _show_pictures()
    except BaseException as error:  # noqa: BLE001 - whatever a reader writes
        if isinstance(error, KeyboardInterrupt):
            raise
        told = {"error": _in_words(error), "line": _line_of(error, file), "whole": _whole(error)}
    finally:
        sys.stdout, sys.stderr = before
        printed.end()
    if results := sys.modules.get("attn.check.results"):
        told["tried"] = [[entry["exercise"], entry["passed"]] for entry in results.seen()]
    return told
