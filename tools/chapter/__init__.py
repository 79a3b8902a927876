"""`make chapter NAME=…`: all files of a new chapter, and its lines in the book's lists; the tests pass at once.

The folder `new` beside this file holds the files, as they will lie in the book, and `lists.toml` the lines. Both have
placeholders, such as @NAME@. Their mathematics is small and true; what an author replaces has a mark (tools/drafts.py).

All or nothing: the files are made, brought into shape and, the notebook, run in a folder of their own. Only if all
that went well is anything written into the book.
"""

import json
import keyword
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NEW, LISTS = HERE / "new", HERE / "lists.toml"
LONGEST_NAME, LONGEST_TITLE = 30, 60
NO_NAMES = {"utils", "util", "helpers", "common", "misc"}  # tests/house forbids modules that are called so
MODULES = ["attn", "attn/check", "attn/practice/by_hand"]


class Refused(Exception):
    """Nothing was written; the message says why, and what was expected."""


class Plan(NamedTuple):
    """A chapter that can be made: its placeholders, its new files, and the lists with its lines in them."""

    words: dict
    new: dict  # path -> text
    changed: dict  # path -> (text before, text after)


def plan(name, title=None, root=ROOT):
    """What a chapter called `name` would write into the book; `Refused` if it can't be made. Writes nothing."""
    title = title or name.replace("_", " ").capitalize()
    check_name(name, root)
    check_title(title)
    last, number = numbers(root)
    words = {
        "NAME": name,
        "CLASS": name.title().replace("_", ""),
        "LABEL": name.replace("_", "-"),
        "TITLE": title,
        "TITLE_INSIDE": title if title[1:2].isupper() else title[0].lower() + title[1:],
        "NUMBER": str(number),
        "NN": f"{number:02}",
        "STEM": f"{number:02}_{name}",
        "SEED": str(number),
        "LAST": last,
    }
    new = {}
    for source in sorted(NEW.rglob("*.txt")):
        path = source.relative_to(NEW).as_posix().removesuffix(".txt")
        path = re.sub(r"\b(NN_)?NAME|(?<=_)NAME", lambda m: words["STEM"] if m[1] else name, path)
        if (root / path).exists():
            raise Refused(
                f"There is a file {path} already, which this chapter would need. Choose another NAME."
            )
        new[path] = filled(source.read_text(encoding="utf-8"), words)
    return Plan(words, new, {**listed(words, root), **led_to(words, root)})


def check_name(name, root):
    """Refuse a name that is not a free module name in snake_case."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise Refused(f"NAME must be a Python name in snake_case, such as rotary_embedding, got {name!r}.")
    if len(name) > LONGEST_NAME:
        raise Refused(f"NAME must have at most {LONGEST_NAME} characters, got {len(name)}: {name}")
    if name in NO_NAMES:
        raise Refused(f"NAME must say what the chapter is about, got {name!r}, which could be anything.")
    for folder in MODULES:
        for path in (root / folder / name, root / folder / f"{name}.py"):
            if path.exists():
                raise Refused(
                    f"NAME must be free, but there is {path.relative_to(root).as_posix()}, got {name!r}."
                )
    taken = [path.name for path in root.glob(f"chapters/[0-9]*_{name}.*")]
    if taken:
        raise Refused(f"NAME must be free, but there is a chapter {taken[0]}, got {name!r}.")


def check_title(title):
    """Refuse a title that Markdown, TOML or Python would read as more than words."""
    if (
        not re.match(r"[^\W_]", title)
        or re.search(r'[\\"`$*_{}\[\]<>|#^~@]|[^\S ]', title)
        or title.strip() != title
    ):
        raise Refused(f"TITLE must be one line of words, without marks of Markdown, got {title!r}.")
    if len(title) > LONGEST_TITLE:
        raise Refused(f"TITLE must have at most {LONGEST_TITLE} characters, got {len(title)}: {title}")
    if re.search(r"\d[\d.,]*\d", title):
        raise Refused(
            f"TITLE must have no number of two digits or more, which would need a proof, got {title!r}."
        )


def numbers(root):
    """The last chapter, such as "07_pmi", and the next number."""
    chapters = {path.stem for path in (root / "chapters").glob("[0-9]*.ipynb")}
    if not chapters:
        raise Refused("There must be a chapter in chapters/ already, named as in 07_pmi.ipynb; found none.")
    last = max(chapters, key=lambda stem: (int(re.match(r"\d+", stem)[0]), stem))
    number = int(re.match(r"\d+", last)[0]) + 1
    for folder in ("chapters", "chapters/teaching"):
        for path in sorted((root / folder).glob("[0-9]*")):
            if int(re.match(r"\d+", path.name)[0]) >= number:
                raise Refused(
                    f"The next number, {number}, must be free, but there is {folder}/{path.name}, and no notebook of "
                    "that name: finish or remove it."
                )
    return last, number


def filled(text, words):
    """A text with its placeholders filled in."""
    return re.sub(r"@([A-Z_]+)@", lambda match: words[match[1]], text)


def listed(words, root):
    """The book's lists, with the lines of the chapter: path -> (text before, text after)."""
    changed = {}
    for entry in tomllib.loads(LISTS.read_text(encoding="utf-8"))["list"]:
        path = entry["file"]
        before, text = changed.get(path) or [(root / path).read_text(encoding="utf-8")] * 2
        lines = filled(entry["lines"], words)
        if anchor := filled(entry.get("after", "") or entry.get("before", ""), words):
            if text.count(anchor) != 1:
                raise Refused(
                    f"{path} must hold this once, since the new lines go beside it; it holds it {text.count(anchor)} "
                    f"times:\n{anchor}"
                )
            place = text.index(anchor) + (len(anchor) if "after" in entry else 0)
        else:
            place = len(text)
        changed[path] = (before, text[:place] + lines + text[place:])
        if path.endswith(".toml"):
            tomllib.loads(changed[path][1])
    return changed


def led_to(words, root):
    """The last chapter so far, whose last cell now leads to the new one: path -> (text before, text after)."""
    import nbformat

    from tools.notebooks import text_of

    path = f"chapters/{words['LAST']}.ipynb"
    before = (root / path).read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    last = [cell for cell in notebook.cells if cell.cell_type == "markdown"][-1]
    last.source += filled("\n\nDRAFT: say what leads on to [@TITLE@](@STEM@.ipynb).", words)
    return {path: (before, text_of(notebook))}


# ---------------------------------------------------------------- the notebook


def notebook_text(text):
    """A notebook's file from its readable form: cells that start with a line `%% markdown ID` or `%% code ID {…}`."""
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    make = {"markdown": new_markdown_cell, "code": new_code_cell}
    cells = []
    for part in re.split(r"^%% ", text, flags=re.MULTILINE)[1:]:
        head, _, source = part.partition("\n")
        kind, identity, *metadata = head.split(" ", 2)
        metadata = json.loads(metadata[0]) if metadata else {}
        cells.append(make[kind](source.strip("\n"), id=identity, metadata=metadata))
    return nbformat.writes(new_notebook(cells=cells, nbformat_minor=5), version=4)


def finished(new, root=ROOT):
    """The new files as they are to be stored: in the house's style, the notebook run and clean."""
    with tempfile.TemporaryDirectory() as place:
        place = Path(place).resolve()
        skip = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        shutil.copytree(root / "attn", place / "attn", ignore=skip)
        (place / "chapters").mkdir()
        for name in ("pyproject.toml", "chapters/ruff.toml"):
            shutil.copy(root / name, place / name)
        for path, text in new.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            text = notebook_text(text) if path.endswith(".ipynb") else text
            (place / path).write_text(text, encoding="utf-8", newline="\n")
        code = [place / path for path in new if path.endswith((".py", ".ipynb"))]
        ours = ["--config", 'lint.isort.known-first-party = ["attn", "bookext", "ledger", "tests", "tools"]']
        # attn of this folder goes before the installed one, which does not have the new module.
        environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
        for command in (
            ["ruff", "check", "--quiet", "--no-cache", *ours, "--fix", *code],
            ["ruff", "format", "--quiet", "--no-cache", *code],
            ["tools.notebooks", *(path for path in code if path.suffix == ".ipynb")],
        ):
            done = subprocess.run(
                [sys.executable, "-m", *map(str, command)],
                cwd=root if command[0] == "tools.notebooks" else place,
                env=environment,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                raise Refused(f"The new files don't pass {command[0]}:\n{done.stdout}{done.stderr}")
        return {path: (place / path).read_text(encoding="utf-8") for path in new}


# ---------------------------------------------------------------- writing


def make(name, title=None, root=ROOT):
    """Make a chapter; return its plan."""
    made = plan(name, title, root)
    new = finished(made.new, root)
    for path, text in [*new.items(), *((path, after) for path, (_, after) in made.changed.items())]:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
    return made
