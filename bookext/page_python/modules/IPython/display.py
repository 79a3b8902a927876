"""What a cell shows beside its text: ``display`` gives it to the page."""

from typing import Any

import page_runtime


class DisplayObject:
    """Something to show: text of one kind."""

    kind = "text/plain"

    def __init__(self, data: str | None = None, **_: Any) -> None:
        self.data = data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {self.kind: self.data}


class HTML(DisplayObject):
    """Markup: the page keeps tables and text of it."""

    kind = "text/html"


class SVG(DisplayObject):
    """A picture."""

    kind = "image/svg+xml"


def display(*objects: Any, **_: Any) -> None:
    """Show objects, in order, below the cell."""
    for one in objects:
        page_runtime.show(one)


def clear_output(wait: bool = False) -> None:
    """Forget what the cell has shown so far."""
    page_runtime.clear()
