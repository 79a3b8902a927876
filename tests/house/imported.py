"""What a file of Python imports, as its text says."""

import ast


def imported(text, package):
    """Yield (module, names taken from it, whether later, line) for each import, relative ones resolved.

    `package` is the file's folder, as a tuple of names. Later is what a function imports when it is called, and what
    only a checker of types reads.
    """
    tree = ast.parse(text)
    inner = {node for part in ast.walk(tree) if runs_later(part) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, [], node in inner, node.lineno
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base, [alias.name for alias in node.names], node in inner, node.lineno


def runs_later(node):
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
