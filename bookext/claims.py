"""Pages that are made from the ledger, which the tests hold against the book.

``{claims}`` renders what ``ledger/claims/`` says (*How we know*), ``{errors}`` ``ledger/errors.toml`` (*Errors in the
wild*), and ``{own-errors}`` ``ledger/own_errors.toml``, at the end of that page. ``{kinds}`` counts sentences by what
shows them.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

import ledger
from ledger import proofs, prose

ROOT = Path(__file__).parent.parent
HEAVY = "chapters/how_we_know"


def page_title(page):
    """The first heading of a page's source."""
    for suffix in (".ipynb", ".md"):
        path = ROOT / f"{page}{suffix}"
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        if suffix == ".ipynb":
            text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
        return re.search(r"^# (.+)$", text, re.MULTILINE)[1]
    raise ExtensionError(f"the ledger speaks of {page}, but there is no such page")


def tests_text(tests):
    """Tests by their names, those of a file together, with little markup: the page is long."""
    files = {}
    for test in tests:
        file, _, name = test.partition("::")
        files.setdefault(file, []).append(name.removeprefix("test_").replace("_", " "))
    return [
        f"test{'s' if len(names) > 1 else ''} {', '.join(f'“{name}”' for name in names)} in {file}"
        for file, names in files.items()
    ]


def proof_text(page, row):
    """How a row is shown, as Markdown."""
    found = proofs.shown(page, row["by"])
    ways = tests_text(found.tests)
    if found.cells:
        ways.append(f"cell{'s' if len(found.cells) > 1 else ''} {', '.join(found.cells)}")
    if found.keys:
        ways.append("source {cite:p}`" + ",".join(found.keys) + "`")
    return "; ".join(ways)


INDEX = re.compile(r"(?<![A-Za-z_])([A-Za-zωσ])_(model|heads|[A-Za-z])(?![A-Za-z_])")


def indexed(text):
    """A sentence of the ledger as Markdown: letters with an index, d_k, as a formula would have them."""
    return INDEX.sub(r"*\1*<sub>\2</sub>", text)


class Claims(SphinxDirective):
    """What the ledger says: for each page of the book a heading, and an item for each row."""

    path = ledger.CLAIMS

    @staticmethod
    def read():
        claims = {
            page: [row for row in ledger.claims().get(page, []) if "says" in row]
            for page in in_the_books_order()
        }
        return {page: rows for page, rows in claims.items() if rows}

    def item(self, page, row):
        return [f"* {indexed(row['says'])} <span class='abh-proof'>Shown by {proof_text(page, row)}.</span>"]

    def lines(self, content):
        """The whole list as lines of Markdown."""
        lines = []
        for page, rows in content.items():
            lines += [f"## {page_title(page)}", "", f"The page: {{doc}}`/{page}`.", ""]
            for row in rows:
                lines += self.item(page, row)
            lines.append("")
        return lines

    def run(self):
        for path in [self.path, *self.path.glob("*.toml")]:
            self.env.note_dependency(str(path))
        section = nodes.section()
        section.document = self.state.document
        lines = StringList(self.lines(self.read()), str(self.path))
        self.state.nested_parse(lines, 0, section, match_titles=1)
        return section.children


class Errors(Claims):
    """All errors, by the page that takes them apart."""

    path, read = ledger.ERRORS, staticmethod(ledger.errors)

    def item(self, page, entry):
        pinned = "; ".join(tests_text(entry["test"]))
        return [
            f"* **{indexed(entry['error'])}.** *You see:* {indexed(entry['shows'])}",
            "",
            f"  *Met in the wild:* {entry['met']} *Pinned by* {pinned}.",
            "",
        ]


class OwnErrors(Claims):
    """What earlier versions of the book said, the worst first."""

    path, read = ledger.OWN_ERRORS, staticmethod(ledger.own_errors)

    def lines(self, content):
        return [line for entry in content for line in self.item(entry)]

    def item(self, entry):
        tests = "; ".join(tests_text(entry.get("test", [])))
        return [
            f"* **It said:** {entry['said']}",
            "",
            f"  *Why it was wrong:* {entry['wrong']}",
            "",
            f"  *What would have caught it:* {entry['caught']} {{doc}}`The page </{entry['page']}>`.",
            *(["", f"  *Pinned by* {tests}."] if tests else []),
            "",
        ]


class Kinds(Claims):
    """What each kind of sentence promises, and how many of each a page has."""

    @staticmethod
    def read():
        """The kinds of each page's sentences; one that prints itself counts as one that is computed."""
        return {
            page: ["computed" for _ in prose.printed()[page]]
            + [row["kind"] for row in ledger.claims().get(page, []) for _ in row.get("text", [row["kind"]])]
            for page in in_the_books_order()
        }

    def lines(self, content):
        return kinds_text(content)


def in_the_books_order():
    """The pages, in the order of the table of contents; the front page first."""
    order = re.findall(
        r"^(?:root:|\s*- file:) (\S+)$", (ROOT / "_toc.yml").read_text(encoding="utf-8"), re.MULTILINE
    )
    return [page for page in order if page in prose.pages()]


def kinds_text(content):
    """A list of the kinds, and a table of the pages, as lines of Markdown."""
    lines = [f"* *{kind[0].upper()}{kind[1:]}*: {promise}." for kind, promise in proofs.KINDS.items()]
    lines += ["", "| page | sentences |", "|:--|:--|"]
    lines += [f"| {{doc}}`/{page}` | {counts_text(kinds)} |" for page, kinds in content.items() if kinds]
    every = [kind for kinds in content.values() for kind in kinds]
    return [*lines, f"| all pages | {counts_text(every)} |", ""]


def counts_text(kinds):
    """How many sentences there are, and of which kinds: "7: 2 proved, 5 computed"."""
    counts = {kind: kinds.count(kind) for kind in proofs.KINDS}
    return f"{len(kinds)}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


ALONE = re.compile(r"<li>\s*<p>((?:(?!</?p[ >]).)*)</p>\s*</li>", re.DOTALL)


def lighten(app, pagename, templatename, context, doctree):
    """Take the paragraph that is alone in its item away: of the page with most items that is a sixth."""
    if pagename == HEAVY:
        context["body"] = ALONE.sub(r"<li>\1</li>", context["body"])


def setup(app):
    app.connect("html-page-context", lighten, priority=900)
    app.add_directive("kinds", Kinds)
    app.add_directive("claims", Claims)
    app.add_directive("errors", Errors)
    app.add_directive("own-errors", OwnErrors)
