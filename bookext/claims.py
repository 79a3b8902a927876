"""Pages that are made from the files that the tests read.

``{claims}`` renders ``tests/claims.toml`` (*How we know*), ``{errors}`` ``tests/errors.toml`` (*Errors in the wild*),
and ``{own-errors}`` ``tests/own_errors.toml``, at the end of that page.
"""

import json
import re
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "tests" / "claims.toml"
ERRORS = ROOT / "tests" / "errors.toml"
OWN_ERRORS = ROOT / "tests" / "own_errors.toml"


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
    raise ExtensionError(f"a ledger in tests/ speaks of {page}, but there is no such page")


def test_text(test):
    """A test by its name and its file."""
    file, _, name = test.partition("::")
    return f"test *{name.removeprefix('test_').replace('_', ' ')}* in `{file}`"


def proof_text(claim):
    """How a claim is shown, as Markdown."""
    ways = [test_text(test) for test in claim.get("test", [])]
    if "cell" in claim:
        ways.append("cell " + ", ".join(f"`{name}`" for name in claim["cell"]))
    if "cite" in claim:
        ways.append("source {cite:p}`" + ",".join(claim["cite"]) + "`")
    return "; ".join(ways)


class Ledger(SphinxDirective):
    """A page made from a TOML file: for each page of the book a heading, and an item for each entry."""

    path = LEDGER

    def item(self, entry):
        return [f"* {entry['says']}", "", f"  *Shown by* {proof_text(entry)}.", ""]

    def lines(self, content):
        """The whole list as lines of Markdown."""
        lines = []
        for page, entries in content.items():
            lines += [f"## {page_title(page)}", "", f"The page: {{doc}}`/{page}`.", ""]
            for entry in entries:
                lines += self.item(entry)
        return lines

    def run(self):
        self.env.note_dependency(str(self.path))
        lines = self.lines(tomllib.loads(self.path.read_text(encoding="utf-8")))
        section = nodes.section()
        section.document = self.state.document
        self.state.nested_parse(StringList(lines, str(self.path)), 0, section, match_titles=1)
        return section.children


class Errors(Ledger):
    """All errors, by the page that takes them apart."""

    path = ERRORS

    def item(self, entry):
        pinned = "; ".join(test_text(test) for test in entry["test"])
        return [
            f"* **{entry['error']}.** {entry['shows']}",
            "",
            f"  *Met in the wild:* {entry['met']} *Pinned by* {pinned}.",
            "",
        ]


class OwnErrors(Ledger):
    """What earlier versions of the book said, the worst first."""

    path = OWN_ERRORS

    def lines(self, content):
        return [line for entry in content["error"] for line in self.item(entry)]

    def item(self, entry):
        tests = "; ".join(test_text(test) for test in entry.get("test", []))
        return [
            f"* **It said:** {entry['said']}",
            "",
            f"  *Why it was wrong:* {entry['wrong']}",
            "",
            f"  *What would have caught it:* {entry['caught']} {{doc}}`The page </{entry['page']}>`.",
            *(["", f"  *Pinned by* {tests}."] if tests else []),
            "",
        ]


def setup(app):
    app.add_directive("claims", Ledger)
    app.add_directive("errors", Errors)
    app.add_directive("own-errors", OwnErrors)
