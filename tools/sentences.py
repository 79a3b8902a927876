"""`make sentences PAGE=00_attention`: the rows of ledger/claims/ that a page lacks, to read, fill in and paste.

Without a page it counts, for all pages. `--since main` shows the sentences that changed, old beside new.
"""

import argparse
import difflib
import json
import re
import subprocess
import sys

import ledger
from ledger import proofs
from ledger.prose import ROOT, pages, sentences_of

TEXT = {"cwd": ROOT, "capture_output": True, "text": True, "encoding": "utf-8", "check": True}


def page_named(name):
    """A page by the end of its name, or by its file: 00_attention, teaching/index, chapters/03_masking.ipynb."""
    name = re.sub(r"\.(ipynb|md)$", "", name)
    found = [page for page in pages() if page in (name, f"chapters/{name}") or page.endswith(f"/{name}")]
    if not found:
        near = difflib.get_close_matches(name, [page.removeprefix("chapters/") for page in pages()], 3, 0.3)
        raise SystemExit(
            f"There is no page {name!r}. Near it: {', '.join(near) or 'none'}. All: `make sentences`."
        )
    return min(found, key=len)


def quoted(text):
    """A text as TOML writes it."""
    if not re.search(r'["\\]', text):
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else f"'''{text}'''"


def problems(page):
    """What the tests will say of a page: a text for each thing that is wrong."""
    for row in ledger.claims().get(page, []):
        for complaint in proofs.complaints(page, row):
            yield f"{page}, {row['kind']}, {row.get('says') or row.get('text')}:\n  {complaint}\n"
    for sentence in proofs.unread(page):
        words = ", ".join([*sentence.numbers, *sentence.strong])
        yield (
            f"No row has this, with {words}. Let its page print it, or fill this into {ledger.file_of(page)}:\n\n"
            f'[["{page}".KIND]]\ntext = [{quoted(sentence.text)}]\nby = []\n'
        )


def said(file, text):
    """The sentences of a page, from the text of its file."""
    notebook = file.endswith(".ipynb")
    cells = json.loads(text)["cells"] if notebook else [{"cell_type": "markdown", "source": text}]
    return [one.text for one in sentences_of(cells)]


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
    parser.add_argument("--page", help="show what this page lacks; without it, count for all pages")
    options = parser.parse_args(arguments)
    if options.since:
        print("\n".join(since(options.since)) or "No sentence of a page changed.")
        return 0
    wrong = 0
    for page in [page_named(options.page)] if options.page else pages():
        found = list(problems(page))
        wrong += len(found)
        if options.page:
            print("\n".join(found))
        print(f"{page:45} {len(ledger.claims().get(page, [])):4} rows, {len(found)} to look at")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
