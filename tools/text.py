"""What a page is as a text: its prose, and its cells that are seen."""

import json
import re

HIDDEN = {"hide-input", "remove-input", "hide-cell", "remove-cell"}


def source(cell):
    return "".join(cell["source"])


def cells(path, kind=None):
    """A notebook's cells, or those of a kind; without those at its end that print its sentences (`attn.says`)."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = [cell for cell in found if "says" not in cell["metadata"].get("tags", [])]
    return [cell for cell in found if kind in (None, cell["cell_type"])]


def seen(cell):
    """Whether a reader of the page sees a cell's code without opening anything."""
    return not HIDDEN & set(cell["metadata"].get("tags", []))


def outside_of_what_opens(text):
    """Prose without solutions, answers, fine print and PyTorch, which stay closed. A tag is no word."""
    text = re.sub(r"</?span[^>]*>", "", text)
    text = re.sub(r"```\{solution-start\}.*?```\{solution-end\}\n```", "", text, flags=re.S)
    text = re.sub(r"```\{pytorch\}.*?```", "", text, flags=re.S)
    return re.sub(r"```\{(?:admonition|solution)\}[^\n]*\n:class: dropdown.*?```", "", text, flags=re.S)


def prose(path):
    """A page's Markdown."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(source(cell) for cell in cells(path, "markdown"))
