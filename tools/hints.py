"""`python -m tools.hints`: the public functions of attn whose type hints are missing or not complete.

mypy checks the hints that there are; it can ask for them in every function of a module, or in none. Here they are asked
for where a reader of the documentation sees them: in functions and methods whose names begin with no underscore, in
whatever module they stand, and in the special methods of public classes.
"""

import ast
import sys

from tools.environment import ROOT


def public(body, inside=""):
    """Yield (name, function) for each public function, and each public method of a public class."""
    for node in body:
        special = inside and node.name.startswith("__") if hasattr(node, "name") else False
        if not hasattr(node, "name") or (node.name.startswith("_") and not special):
            continue
        if isinstance(node, ast.ClassDef):
            yield from public(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield inside + node.name, node


def without(function, method=False):
    """What of a function has no hint: names of its parameters, "its return"."""
    given = function.args
    bound = method and not any(getattr(name, "id", "") == "staticmethod" for name in function.decorator_list)
    named = [*given.posonlyargs, *given.args][bound:] + given.kwonlyargs
    several = [one for one in (given.vararg, given.kwarg) if one]
    found = [one.arg for one in named + several if one.annotation is None]
    return found + ([] if function.returns else ["its return"])


def missing(root=ROOT):
    """Yield a sentence for each public function of attn that lacks a hint."""
    for path in sorted((root / "attn").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, function in public(tree.body):
            if lacks := without(function, method="." in name):
                place = f"{path.relative_to(root).as_posix()}:{function.lineno}"
                yield f"{place}: {name} has no type hint for {', '.join(lacks)}"


if __name__ == "__main__":
    sentences = list(missing())
    print(*sentences, sep="\n", end="\n" if sentences else "")
    sys.exit(bool(sentences))
