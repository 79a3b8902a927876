"""What ipywidgets, anywidget and a cell ask of IPython, in a page: there is no shell, and ``display`` is the page's."""

from IPython import display

__version__ = "8.0.0"
version_info = (8, 0, 0, "")
__all__ = ["display", "get_ipython"]


def get_ipython():
    """There is none."""
