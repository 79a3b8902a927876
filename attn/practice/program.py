"""A program whose lines a reader puts in order: its lines, what they start from, and how one line is run."""

import ast
import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

Values = dict[str, Any]

#: Exceptions that a line may raise because of the shapes of what it is given.
OF_SHAPES = (ValueError, IndexError)


@dataclass(frozen=True)
class Meaning:
    """What a wrong program does, where it is made so.

    Parameters
    ----------
    says : str
        A sentence.
    uses, lacks : tuple of str
        Keys of lines that stand in the program, and that don't.
    broken : bool
        What it returns holds NaN or infinity. Then no other meaning is said: NaN hides what the other lines do.
    """

    says: str
    uses: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    broken: bool = False

    def fits(self, keys: Sequence[str], broken: bool) -> bool:
        """Whether a program of these lines is made so; `broken`: what it returns holds NaN or infinity."""
        held = all(key in keys for key in self.uses) and not any(key in keys for key in self.lacks)
        return held and broken == self.broken


@dataclass(frozen=True, eq=False)
class Program:
    """Lines of code to be put in order.

    Parameters
    ----------
    name : str
        The exercise's, such as "order.causal-attention".
    title : str
    chapter : str
        "0" … "8".
    asks : str
        What the program has to compute, in a sentence or two.
    head : str
        Its first line, which stays: "def attention(q, k, v):".
    lines : dict
        Key -> line, in an order that is right.
    wrong : dict
        Key -> line: bugs that people write.
    returns : tuple of str
        The names that it returns; its last line.
    given : callable
        Makes the names that the lines start from. Sizes differ, so that a wrong axis shows.
    means : tuple of Meaning
        What the wrong programs compute. All that fit are said.
    """

    name: str
    title: str
    chapter: str
    asks: str
    head: str
    lines: dict[str, str]
    wrong: dict[str, str]
    returns: tuple[str, ...]
    given: Callable[[], Values]
    means: tuple[Meaning, ...]

    @property
    def all_lines(self) -> dict[str, str]:
        """The right lines, then the wrong ones."""
        return self.lines | self.wrong

    @property
    def foot(self) -> str:
        """The line that returns; what stands below it is not run."""
        return f"return {', '.join(self.returns)}"


def size_of(value: Any) -> str:
    """The shape of a value in words: 3 × 4."""
    shape = np.shape(value)
    return " × ".join(map(str, shape)) if len(shape) > 1 else f"{shape[0]} long" if shape else "a number"


class Line(NamedTuple):
    """A line of code, ready to run.

    Attributes
    ----------
    code : code object
    reads : tuple of str
        Names that it reads, in their order.
    changes : tuple of str
        Names whose value it changes in place, as ``pe[:, 0] = …`` does.
    """

    code: CodeType
    reads: tuple[str, ...]
    changes: tuple[str, ...]


def line_of(text: str) -> Line:
    """Make a line of code ready to run."""
    tree = ast.parse(text)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    reads = [node.id for node in sorted(names, key=lambda node: node.col_offset)]
    stored = [
        node for node in ast.walk(tree) if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    ]
    changes = [node.value.id for node in stored if isinstance(node.value, ast.Name)]
    return Line(compile(tree, "<line>", "exec"), tuple(dict.fromkeys(reads)), tuple(changes))


def run_line(line: Line, tools: Values, values: Values) -> Values | str:
    """The values after a line, or why it stops: a name that is not there yet, or shapes that don't fit.

    Parameters
    ----------
    line : Line
    tools : dict
        Functions and modules that the line may use.
    values : dict
        What the names stand for; it stays as it is.
    """
    scope = {**tools, **values}
    scope |= {name: copy.deepcopy(values[name]) for name in line.changes if name in values}
    try:
        with np.errstate(all="ignore"):
            exec(line.code, scope)
    except NameError as error:
        return f"`{error.name}` is not there yet."
    except OF_SHAPES:
        sizes = [
            f"`{name}` is {size_of(values[name])}" for name in line.reads if np.ndim(values.get(name, 0))
        ]
        return f"The shapes don't fit: {' and '.join(sizes)}."
    return {name: value for name, value in scope.items() if name not in tools and name != "__builtins__"}


def _is_tool(value: Any) -> bool:
    return callable(value) or type(value).__name__ == "module"


def parts_of(program: Program) -> tuple[list[Line], Values, Values]:
    """Its lines, ready to run; what they may use; and the values that they start from."""
    lines = [line_of(text) for text in program.all_lines.values()]
    given = program.given()
    tools = {name: value for name, value in given.items() if _is_tool(value)}
    return lines, tools, {name: value for name, value in given.items() if name not in tools}


def right_values(program: Program) -> Values:
    """What all names stand for after the right lines in their order.

    Raises
    ------
    ValueError
        If one of them does not run there.
    """
    lines, tools, values = parts_of(program)
    for key, line in zip(program.lines, lines, strict=False):
        after = run_line(line, tools, values)
        if isinstance(after, str):
            raise ValueError(
                f"{program.name}: its right lines must run in their order, got {after!r} at {key!r}"
            )
        values = after
    return values
