"""A page of the book as JupyterLab can show it: `jupyterlab-myst` knows MyST, and here is what only the book knows."""

import json
import posixpath
import re
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
START = "start_here.ipynb"
#: Says to the extension (extension/static/remote.js) that nobody has opened this copy yet.
FRESH = {"attention_by_hand": {"fresh": True}}
ONLY_IN_PAGES = re.compile(
    r"^```\{(errors|own-errors|kinds|claims|practice-tools|practice)\}.*?^```$",
    re.MULTILINE | re.DOTALL,
)
BEFORE_SOLUTIONS = re.compile(r"Do it before you run a cell of a solution, because [^\n]*?\.(?=\n|$)")
HANDED_IN = "JupyterLab remembers it from one day to the next. A solution's own cell doesn't count."


def pages():
    """The pages that a reader gets, each as the name of its copy and the file that it comes from."""
    found = [*CHAPTERS.rglob("*.ipynb"), *CHAPTERS.glob("*.md"), *CHAPTERS.glob("pytorch/*.py")]
    named = {path.relative_to(CHAPTERS): path for path in found if ".ipynb_checkpoints" not in path.parts}
    copies = {}
    for name, path in sorted(named.items()):
        runs = path.suffix == ".md" and "```{code-cell}" in path.read_text(encoding="utf-8")
        copies[(name.with_suffix(".ipynb") if runs else name).as_posix()] = path
    return {START: Path(__file__).parent / "start_here.md", **copies}


def page(name, path, names):
    """The text of the copy called `name` of the file at `path`; `names` are those of all copies."""
    text = path.read_text(encoding="utf-8")
    if name.endswith(".py"):
        return text
    here = PurePosixPath(name).parent
    if name.endswith(".md"):
        return as_myst(text, here, names)
    notebook = json.loads(text) if path.suffix == ".ipynb" else from_markdown(text)
    cells = []
    for cell in notebook["cells"]:
        if "remove-cell" in cell["metadata"].get("tags", []):
            continue  # it checks the page's words, which the reader may change
        if cell["cell_type"] == "markdown":
            source = as_myst("".join(cell["source"]), here, names)
            cells += [{**cell, "source": source.splitlines(keepends=True)}] if source.strip() else []
            continue
        if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
            cell = {**cell, "metadata": {**cell["metadata"], "tags": ["solution"]}}
        cells.append(cell)
        if caption := cell["metadata"].get("mystnb", {}).get("figure", {}).get("caption"):
            cells.append(markdown(f"{cell['id']}-caption", f"*{as_myst(caption, here, names)}*"))
    notebook = {**notebook, "cells": cells, "metadata": {**notebook["metadata"], **FRESH}}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def markdown(name, text):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}


def from_markdown(text):
    """A notebook from a page in Markdown with code cells, which are folded as the page hides them."""
    from myst_nb.core.read import read_myst_markdown_notebook

    notebook = read_myst_markdown_notebook(text)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel}
    for cell in notebook.cells:
        if {"hide-input", "remove-input"} & set(cell.metadata.get("tags", [])):
            cell.metadata["jupyter"] = {"source_hidden": True}
    return notebook


def as_myst(text, here, names):
    """Markdown without what only the book's build knows; it stands in a copy in the folder `here`."""
    text = text.replace("@CHAPTERS@", contents())
    text = BEFORE_SOLUTIONS.sub(HANDED_IN, text)
    text = re.sub(
        r"^```\{bibliography\}.*?^```$", lambda _: bibliography(), text, flags=re.MULTILINE | re.DOTALL
    )
    text = ONLY_IN_PAGES.sub("*(This list is in the pages, which `make serve` builds.)*", text)
    text = re.sub(r"^```\{(exercise|solution)-end\}\n```\n*", "", text, flags=re.MULTILINE)
    gate = r"^```\{(exercise|solution)-start\}( [^\n]*)\n((?::[^\n]*\n)*)```\n(.*?)(?=^```\{|\Z)"
    text = re.sub(gate, r"````{\1}\2\n\3\4\n````\n\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^```\{pytorch\} (\w+)\n(.*?)^```$", pytorch, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\{cite:([pt])\}`([^`]*)`", lambda role: cited(role, here), text)
    text = re.sub(r"\{anki\}`([^`]*)`", r"\1 (in the pages, which `make serve` builds)", text)
    return re.sub(
        r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s:]+)\)", lambda link: linked(link, here, names), text
    )


@cache
def contents():
    """The chapters as a list of links."""
    lines = []
    for path in sorted(CHAPTERS.glob("[0-9]*.ipynb")):
        title = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]).splitlines()[0]
        lines.append(f"* [{title.removeprefix('# ')}]({path.name})")
    return "\n".join(lines)


def linked(link, here, names):
    """A link as the copy has it: to another copy, with what a term means; without one, its words alone."""
    sign, words, target = link.groups()
    path, _, part = target.partition("#")
    if not path:
        return link.group()
    name = posixpath.normpath(here / path)
    if name in ("../index.md", "index.md"):
        name, part = START, ""
    if name not in names:
        name = str(PurePosixPath(name).with_suffix(".ipynb"))
    if name not in names:
        return link.group() if sign else words
    back = "../" * len(here.parts)
    hover = f' "{meaning}"' if (meaning := terms().get(part)) else ""
    return f"{sign}[{words}]({back}{name}{'#' + part if part else ''}{hover})"


@cache
def terms():
    """What each term of the notation page means, in a line without marks, by its place on the page."""
    text = (CHAPTERS / "notation.md").read_text(encoding="utf-8")
    glossary = re.search(r"^```\{glossary\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1)
    found = re.findall(r"((?:^\S[^\n]*\n)+)  ([^\n]+)", glossary, re.MULTILINE)
    return {
        f"term-{term.replace(' ', '-')}": re.sub(r'[$`*"\\]', "", meaning)
        for names, meaning in found
        for term in names.splitlines()
    }


def pytorch(box):
    """What ``{pytorch} NAME`` shows: the words, the code and what it printed, in a box that opens."""
    name, words = box.groups()
    stored = json.loads((CHAPTERS / "pytorch" / "outputs.json").read_text(encoding="utf-8"))
    code = (CHAPTERS / "pytorch" / f"{name}.py").read_text(encoding="utf-8")
    printed = stored["snippets"][name]["printed"]
    return (
        f"````{{admonition}} In PyTorch\n:class: dropdown\n{words}\n```python\n{code}```\n\n"
        f"```text\n{printed.rstrip()}\n```\n\nRun with PyTorch {stored['torch']}.\n````"
    )


def cited(role, here):
    """A citation as words: (Vaswani et al., 2017), or Vaswani et al. (2017), with a link to the bibliography."""
    kind, keys = role.groups()
    one, all_of_them = ("{}, {}", "({})") if kind == "p" else ("{} ({})", "{}")
    texts = []
    for key in keys.split(","):
        who, year, title, _ = sources()[key.strip()]
        texts.append(f'[{one.format(who, year)}]({"../" * len(here.parts)}bibliography.md "{title}")')
    return all_of_them.format("; ".join(texts))


def bibliography():
    """All sources as a list."""
    return "\n".join(
        f"* {who} ({year}). *{title}*. {where}" for who, year, title, where in sorted(sources().values())
    )


@cache
def sources():
    """Of each source: who wrote it, when, its title, and where it appeared."""
    from pybtex.database import parse_file

    return {key: source(entry) for key, entry in parse_file(ROOT / "references.bib").entries.items()}


def source(entry):
    from pybtex.richtext import Text

    people = entry.persons.get("author") or entry.persons["editor"]
    names = [" ".join(map(str, [*one.rich_prelast_names, *one.rich_last_names])) for one in people]
    who = f"{names[0]} et al." if len(names) > 2 or names[-1] == "others" else " and ".join(names)
    words = {key: str(Text.from_latex(text)).replace('"', "") for key, text in entry.fields.items()}
    where = next((words[key] for key in ("journal", "booktitle", "howpublished") if key in words), "")
    return who, words["year"], words["title"], re.sub(r"\\url\s*(\S+)", r"<\1>", where)
