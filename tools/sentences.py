"""`make sentences PAGE=00_attention`: the entries of ledger/sentences that a page should have.

A sentence without an entry gets one, with a guess at what gives its numbers. Where a sentence was reworded, its entry
moves along. Both are marked unread, and the tests fail until somebody has read them. `CHECK=1` writes nothing.
"""

import argparse
import difflib
import json
import re
import subprocess
import sys
from functools import cache

import ledger
from ledger import proofs
from ledger.prose import ROOT, cells, not_printed, pages, sentences, sentences_of

NEAR = 0.6  # how like an old sentence a new one must be to get its entry
LIKE = 0.35  # the share of words that a row of claims.toml must have in common with a sentence
WIDTH = 110
TEXT = {"cwd": ROOT, "capture_output": True, "text": True, "encoding": "utf-8", "check": True}
ORDER = ("text", "kind", "by", "follows", "place", "seen_by", "was")
HEAD = (
    "# What this page says, sentence by sentence, and what shows it. How to work with it: docs/chapter.md.\n"
)


def page_named(name):
    """A page by the end of its name, or by its file: 00_attention, teaching/index, chapters/03_masking.ipynb."""
    name = re.sub(r"\.(ipynb|md)$", "", name)
    found = [page for page in (name, f"chapters/{name}") if page in pages()]
    found += [page for page in pages() if page.endswith(f"/{name}")]
    if not found:
        near = difflib.get_close_matches(name, [page.removeprefix("chapters/") for page in pages()], 3, 0.3)
        raise SystemExit(
            f"There is no page {name!r}. Near it: {', '.join(near) or 'none'}. All: `make sentences`."
        )
    return found[0]


# ---------------------------------------------------------------- what may give its numbers


def nearest_cells(page, cell):
    """The code cells of a page, those after the sentence before those that are as far in front of it."""
    every = cells(page)
    place = next((i for i, one in enumerate(every) if one.get("id") == cell), 0)
    code = [
        (abs(i - place), i < place, one["id"]) for i, one in enumerate(every) if one["cell_type"] == "code"
    ]
    return [name for *_, name in sorted(code)]


@cache
def opening(says):
    """The first words of a row of claims.toml, as many as no other row begins with."""
    words = says.split()
    every = [other["says"] for rows in ledger.claims().values() for other in rows]
    for count in range(min(6, len(words)), len(words)):
        start = " ".join(words[:count])
        if sum(other.startswith(start) for other in every) == 1:
            return start
    return says


def rows_like(page, text):
    """Rows of claims.toml about this page, the likest first."""

    def words(text):
        return set(re.findall(r"[a-z]{4,}", text.lower()))

    said = words(text)
    share = [
        (len(said & words(row["says"])) / (len(said) or 1), row) for row in ledger.claims().get(page, [])
    ]
    return [(part, opening(row["says"])) for part, row in sorted(share, key=lambda one: -one[0])]


def candidates(page, sentence):
    """What may belong into `by`: the nearest cells, rows and sources that have its numbers, or a row like it."""
    keys = [
        key.strip()
        for part in re.findall(r"\{cite:[pt]\}`([^`]+)`", sentence.text)
        for key in part.split(",")
    ]
    linked = [
        other
        for link in re.findall(r"\]\(([^)#]+)\.(?:ipynb|md)", sentence.text)
        for other in pages()
        if other == "chapters/" + re.sub(r"^(?:\.\./|chapters/)+", "", link)
    ]
    rows = rows_like(page, sentence.text)
    near = [*nearest_cells(page, sentence.cell), *(row for _, row in rows)]
    near += [f"{other}#{name}" for other in linked for name in nearest_cells(other, "")]
    near += [opening(row["says"]) for other in linked for row in ledger.claims().get(other, [])]
    by, left = list(keys), list(sentence.numbers)
    gives = {name: proofs.given({}, proofs.shown(page, [name])) for name in near} if left else {}

    def missing(known, text=sentence.text):
        return [one for one in left if not proofs.rounds_to(one.replace(",", ""), known, f"{one} %" in text)]

    left = missing(proofs.given({}, proofs.shown(page, keys)))
    while left:
        best = min(near, key=lambda name: len(missing(gives[name])), default=None)  # the first of the best
        if best is None or len(missing(gives[best])) == len(left):
            break
        by.append(best)
        left = missing(gives[best])
    if not by and rows and rows[0][0] >= LIKE:
        by.append(rows[0][1])
    return by


# ---------------------------------------------------------------- what stands in the file


def quoted(text):
    """A text as TOML writes it."""
    if not re.search(r'["\\]', text):
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else f"'''{text}'''"


def written(entry):
    """An entry as its file has it; a list that doesn't fit into a line has a line for each name."""
    lines = ["[[sentence]]"]
    for key in ORDER:
        if not (value := entry.get(key)):
            continue
        if isinstance(value, str):
            lines.append(f"{key} = {quoted(value)}")
            continue
        line = f"{key} = [{', '.join(map(quoted, value))}]"
        lines += (
            [line] if len(line) <= WIDTH else [f"{key} = [", *(f"    {quoted(one)}," for one in value), "]"]
        )
    return "\n".join(lines) + "\n"


def file_of(found):
    """A page's file: the sentences that claim nothing as a list, then an entry for each other."""
    nothing = [entry["text"] for entry in found if entry["kind"] == "no claim"]
    lines = ["", "no_claim = [", *(f"    {quoted(text)}," for text in nothing), "]", ""] if nothing else []
    rest = (f"\n{written(entry)}" for entry in found if entry["kind"] != "no claim")
    return HEAD + "\n".join(lines) + "".join(rest)


def proposed(page):
    """All entries that a page should have, in its order: as they are, moved along, new. And those that are dead."""
    have = {entry["text"]: entry for entry in proofs.entries(page) or []}
    said = [sentence.text for sentence in sentences(page)]
    dead = {text: entry for text, entry in have.items() if text not in said}
    found = []
    for sentence in {sentence.text: sentence for sentence in sentences(page)}.values():
        entry = have.get(sentence.text)
        if entry and entry["kind"] == "computed" and not not_printed(page, sentence).text.strip():
            continue  # it prints itself
        if entry:
            found.append(entry)
        elif not_printed(page, sentence).needs_a_reading:
            if near := difflib.get_close_matches(sentence.text, dead, 1, NEAR):
                old = dead.pop(near[0])
                found.append(
                    {**old, "text": sentence.text, "kind": "unread", "was": f"{old['kind']}: {near[0]}"}
                )
            else:
                found.append({"text": sentence.text, "kind": "unread", "by": candidates(page, sentence)})
    return found, list(dead.values())


def problems(page):
    """What the tests will say of a page: a text for each thing that is wrong."""
    for entry in proofs.entries(page) or []:
        for complaint in proofs.complaints(page, entry):
            yield f"{complaint}:\n{written(entry)}"
    for sentence in proofs.unread(page):
        entry = {"text": sentence.text, "kind": "unread", "by": candidates(page, sentence)}
        words = ", ".join([*sentence.numbers, *sentence.strong])
        yield f"nobody has read this, with {words}; read it and paste, or let `make sentences` write:\n{written(entry)}"


def said(file, text):
    """The sentences of a page, from the text of its file."""
    source = (
        json.loads(text)["cells"] if file.endswith(".ipynb") else [{"cell_type": "markdown", "source": text}]
    )
    return [one.text for one in sentences_of(source)]


def since(base):
    """The sentences of pages that changed since a commit, old beside new, as Markdown for a reviewer."""
    git = ["git", "-c", "core.quotePath=false"]
    names = subprocess.run([*git, "diff", "--name-only", base, "--", "index.md", "chapters"], **TEXT).stdout
    for file in names.split("\n"):
        if not file.endswith((".md", ".ipynb")):
            continue
        old = subprocess.run([*git, "show", f"{base}:{file}"], **TEXT | {"check": False}).stdout
        new = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
        before, after = (said(file, text) if text else [] for text in (old, new))
        changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        rows = [(before[a:b], after[c:d]) for kind, a, b, c, d in changes if kind != "equal"]
        if rows:
            yield f"### {file}\n\n| was | is |\n|---|---|"
            for pair in rows:
                yield "| " + " | ".join(" ".join(side).replace("|", "\\|") for side in pair) + " |"
            yield ""


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="sentences")
    parser.add_argument("--since", metavar="COMMIT", help="show the sentences that changed, old beside new")
    parser.add_argument("--page", help="write the entries that this page lacks; without it, count all pages")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    if options.since:
        print("\n".join(since(options.since)) or "No sentence of a page changed.")
        return 0
    if not options.page:
        print(f"{'page':45} entries  wrong or missing")
        for page in pages():
            found = list(problems(page))
            print(f"{page:45} {len(proofs.entries(page) or []):7}  {len(found) or ''}")
        return 0
    page = page_named(options.page)
    if not options.check:
        found, dead = proposed(page)
        path = proofs.path_of(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file_of(found), encoding="utf-8", newline="\n")
        for entry in dead:
            print(f"Gone from the page, and taken out:\n{written(entry)}")
    found = list(problems(page))
    for text in found:
        print(text)
    path = proofs.path_of(page).relative_to(proofs.FOLDER).as_posix()
    print(f"ledger/sentences/{path}: {len(proofs.entries(page) or [])} entries, {len(found)} to look at.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
