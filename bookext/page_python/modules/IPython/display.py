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


class Image(DisplayObject):
    """A picture of points: a page shows none that a cell made."""


class Javascript(DisplayObject):
    """A page runs none that a cell made."""


class Markdown(DisplayObject):
    """Text."""


def display(*objects: Any, **_: Any) -> None:
    """Show objects, in order, below the cell."""
    for one in objects:
        page_runtime.show(one)


def clear_output(wait: bool = False) -> None:
    """Forget what the cell has shown so far."""
    page_runtime.clear()


def publish_display_data(data: dict, metadata: dict | None = None, **_: Any) -> None:
    """Show a bundle of kinds."""
    page_runtime.give(data)
