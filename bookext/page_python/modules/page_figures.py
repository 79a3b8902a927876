"""The page's end of a figure's wire: the comm of ipywidgets leads to the figure that the page draws.

A figure that Python makes is a real anywidget. What Python sets goes to the page, what a reader moves comes back, and
`observe` hears it, as in JupyterLab. The page has the JavaScript; here is the state alone.
"""

from typing import Any

import comm
import numpy as np
from comm.base_comm import BaseComm

_send: Any = None
_comms: dict[str, "PageComm"] = {}


class PageComm(BaseComm):
    """A comm to the page: what a figure's traits become goes out once the figure is shown."""

    shown = False

    def publish_msg(self, msg_type: str, data: Any = None, **_: Any) -> None:
        if msg_type == "comm_open":
            _comms[self.comm_id] = self
        if self.shown and isinstance(data, dict) and data.get("method") == "update":
            _send({"figure": self.comm_id, "set": _plain(data["state"])})


def start(send: Any) -> None:
    """From now on widgets talk to the page; `send` takes a dict."""
    global _send
    _send = send
    comm.create_comm = PageComm


def opened(widget: Any) -> dict[str, Any]:
    """What the page needs to show a figure: its id, its view, its traits, and the names of those that are its state."""
    own = getattr(widget, "own_traits", None)
    if own is None or not getattr(widget, "view", ""):
        return {"text": f"{type(widget).__name__}: a page draws the book's own figures alone.\n"}
    _comms[widget.comm.comm_id].shown = True
    state = {name: value for name, value in widget.get_state().items() if _is_own(name)}
    return {
        "figure": widget.comm.comm_id,
        "view": widget.view,
        "state": _plain(state),
        "names": [*widget.own_traits(), "answer"],
    }


def moved(figure: str, values: dict[str, Any]) -> None:
    """A reader moved a figure: set its traits, by ipywidgets\' own message."""
    message = {"content": {"data": {"method": "update", "state": values, "buffer_paths": []}}, "buffers": []}
    _comms[figure].handle_msg(message)


def _is_own(name: str) -> bool:
    return not name.startswith(("_", "layout", "tabbable", "tooltip"))


def _plain(value: Any) -> Any:
    """A state as JavaScript takes it."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items() if _is_own(str(key))}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value
