"""What a page is as a text: its prose and its words, its cells that are seen, and which of their lines only dress.

A line of code dresses what is shown if it prints, formats a number or a string, sets up a plot, or holds nothing but
arguments that name, label or size. What calculates does not; nor does the call that shows, such as ``show(scores=s)``.
"""

import ast
import json
import re

HIDDEN = {"hide-input", "remove-input", "hide-cell", "remove-cell"}
#: Arguments of a call that shows, which say how and not what.
DRESS = {
    *(
        "alpha",
        "ax",
        "axes",
        "bins",
        "c",
        "color",
        "cmap",
        "columns",
        "decimals",
        "domain",
        "figsize",
        "fontsize",
    ),
    *(
        "height_ratios",
        "label",
        "labels",
        "legend",
        "linestyle",
        "loc",
        "lw",
        "ncols",
        "nrows",
        "rows",
        "sharex",
    ),
    *("sharey", "size", "style", "title", "titles", "unit", "vmax", "vmin", "width_ratios", "xlabel", "xlim"),
    *("xticks", "ylabel", "ylim", "yticks"),
}
#: Names for what stands at the rims of a table.
RIMS = {"columns", "labels", "look", "rows", "titles"}
PLOTTING = {"plt", "fig", "figure", "ax", "axes", "axs"}
SHOWING = {"show", "table"}


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


# ---------------------------------------------------------------- lines that dress


def first_name(node):
    """Of plt.show() and of axes[0].set_title("…") the name that they begin with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def lines_of(node):
    return set(range(node.lineno, node.end_lineno + 1))


def fixed(value):
    """Whether nothing in an expression is calculated: a list of labels is not."""
    return not any(
        isinstance(part, ast.Call | ast.Name | ast.BinOp | ast.comprehension) for part in ast.walk(value)
    )


def formats(node):
    """Whether a part of an expression writes a number or a string by hand."""
    if isinstance(node, ast.FormattedValue):
        return node.format_spec is not None
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"


def dressing_lines(text):
    """The numbers of the lines of a cell that only dress what is shown."""
    tree = ast.parse(text)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.For | ast.With | ast.If):
            value = getattr(node, "value", None)
            if isinstance(value, ast.Call):
                whole, name = ast.unparse(value.func), first_name(value.func)
                if whole in ("print", "plots.use_style") or name in PLOTTING:
                    found |= lines_of(node)
        if (
            isinstance(node, ast.Assign)
            and {ast.unparse(part) for part in node.targets} <= RIMS
            and fixed(node.value)
        ):
            found |= lines_of(node)
        if isinstance(node, ast.JoinedStr) and any(map(formats, ast.walk(node))) or formats(node):
            found |= lines_of(node)
        name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if name in SHOWING or name.startswith("plots.") and name != "plots.use_style":
            plain = {node.lineno}
            for part in [*node.args, *(word.value for word in node.keywords if word.arg not in DRESS)]:
                plain |= lines_of(part)
            for word in node.keywords:
                if word.arg in DRESS:
                    found |= lines_of(word.value) | {word.lineno}
            found -= plain
    return found


def code_lines(path):
    """How many lines of code a page's reader sees, and how many of these only dress."""
    every = dressing = 0
    for cell in filter(seen, cells(path, "code")):
        text = source(cell)
        written = {number for number, line in enumerate(text.splitlines(), 1) if line.strip()}
        every += len(written)
        dressing += len(dressing_lines(text) & written)
    return every, dressing
