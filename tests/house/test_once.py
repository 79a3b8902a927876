"""Each thing is said once: a figure's sentences in its class or in its view, numbers as text in one module."""

import ast
import inspect
import re
import subprocess
from pathlib import Path

import pytest

import attn.explore
from attn.explore._base import JS, path_of, view_names

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 120  # characters; oxfmt breaks code, and leaves strings and comments as they are
RUN = 6  # words: shorter runs are no sentence
KINDS = {
    kind.view: kind for kind in (getattr(attn.explore, name) for name in attn.explore.__all__) if kind.view
}


def words(text):
    return re.findall(r"[\w√−+]+", text.lower())


def runs(texts):
    """All runs of so many words in some texts."""
    found = (words(part) for text in texts for part in text.split("…"))
    return {tuple(said[i : i + RUN]) for said in found for i in range(len(said) - RUN + 1)}


LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|(\s*\+\s*(?=["`]))|(\S)""", re.DOTALL
)


def texts_of_view(source):
    """The string literals of a module without its comments; those that a + joins are one."""
    texts, joins = [], False
    for match in LITERAL.finditer(source):
        quoted, template, plus, other = match.groups()
        if quoted is not None or template is not None:
            text = re.sub(r"\$\{[^}]*\}", " … ", quoted if template is None else template).replace("\\`", "`")
            texts[len(texts) - joins :] = [(texts[-1] if joins else "") + text]
        joins = plus is not None and bool(texts) if other is None else False
    return texts


def texts_of_class(source):
    """The string literals of a Python module without its docstrings."""
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


def said_twice(view, python):
    """Runs of words that both sources have."""
    return sorted(" ".join(run) for run in runs(texts_of_view(view)) & runs(texts_of_class(python)))


@pytest.mark.parametrize("view", [view for view in view_names() if path_of(view).exists()])
def test_no_sentence_stands_in_the_class_and_in_the_view(view):
    python = inspect.getsource(inspect.getmodule(KINDS[view]))
    assert said_twice(path_of(view).read_text(encoding="utf-8"), python) == []


def test_a_sentence_that_is_said_twice_is_found():
    view = 'const answer = "Both hands of a clock turn " +\n  `by the same angle, ${x}.`; // One two three four five'
    python = (
        '"""One two three four five six."""\nstep("a", "See: both hands of a clock turn by the same angle")'
    )
    assert said_twice(view, python) == [
        "a clock turn by the same",
        "both hands of a clock turn",
        "clock turn by the same angle",
        "hands of a clock turn by",
        "of a clock turn by the",
    ]
    assert said_twice(view, '"""Both hands of a clock turn by the same angle."""') == []


def scripts():
    listed = subprocess.run(
        ["git", "ls-files", "*.js", "*.mjs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split() if "minisearch" not in name]  # somebody else's


def test_lines_of_javascript_fit():
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in scripts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert len(scripts()) > 20
    assert long == []


def test_numbers_become_text_in_one_module():
    """Beside it a number is cut to some decimals only for a place in a picture, an attribute that nobody reads."""
    found = {
        path.relative_to(JS).as_posix(): re.findall(
            r"toLocaleString|toPrecision|Intl\.", path.read_text(encoding="utf-8")
        )
        for path in JS.rglob("*.js")
    }
    assert {name for name, calls in found.items() if calls} == {"number.js"}
