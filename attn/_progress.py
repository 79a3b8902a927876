"""A progress bar that only shows up when it is worth it: after two seconds, to somebody who can see it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

AFTER = 2.0  # seconds


class Progress:
    """Context manager around a loop of `total` steps; `update(done, text)` may show a bar.

    In a terminal it is a line on stderr, in a notebook an output of its own; both are wiped at the end. Where nobody
    looks (a pipe, a file, a notebook that a program runs, `on=False`) and in a loop of less than two seconds, nothing
    is written.
    """

    def __init__(self, total: int, *, on: bool = True, after: float = AFTER) -> None:
        self.total = total
        self._show = _shower() if on else None
        self._due = time.monotonic() + after
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def update(self, done: int, text: str = "") -> None:
        """Say how far the loop is."""
        now = time.monotonic()
        if self._show is None or now < self._due:
            return
        self._due, self._shown = now + 0.2, True
        filled = round(30 * done / self.total)
        self._show(f"{'█' * filled}{'░' * (30 - filled)} {done} of {self.total}  {text}")

    def __exit__(self, *_: object) -> None:
        if self._show is not None and self._shown:
            self._show("")


def _shower() -> Callable[[str], None] | None:
    """Return a function that shows a line in place of the last one, or None where nobody can see it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and hasattr(shell, "kernel"):
        # Who runs a notebook to store or compare it says that nobody is there to type; on a slow machine the bar would
        # leave an output behind.
        return _in_notebook() if getattr(shell.kernel, "_allow_stdin", True) else None
    if sys.stderr is not None and sys.stderr.isatty():
        return lambda line: print(f"\r\x1b[2K{line}", end="", file=sys.stderr, flush=True)
    return None


def _in_notebook() -> Callable[[str], None] | None:
    display = sys.modules["IPython.display"].display  # loaded in every kernel; attn itself needs NumPy alone
    handle: list[Any] = []

    def show(line: str) -> None:
        content = {"text/plain": line}
        if handle:
            handle[0].update(content, raw=True)
        else:
            handle.append(display(content, raw=True, display_id=True))

    return show
