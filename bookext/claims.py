"""The ``{claims}`` directive renders ``tests/claims.toml`` as the page *How we know*."""

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
    raise ExtensionError(f"tests/claims.toml speaks of {page}, but there is no such page")


def proof_text(claim):
    """How a claim is shown, as Markdown."""
    ways = []
    for test in claim.get("test", []):
        file, _, name = test.partition("::")
        ways.append(f"test *{name.removeprefix('test_').replace('_', ' ')}* in `{file}`")
    if "cell" in claim:
        ways.append("cell " + ", ".join(f"`{name}`" for name in claim["cell"]))
    if "cite" in claim:
        ways.append("source {cite:p}`" + ",".join(claim["cite"]) + "`")
    return "; ".join(ways)


class Claims(SphinxDirective):
    """All claims, by page."""

    def run(self):
        self.env.note_dependency(str(LEDGER))
        lines = []
        for page, claims in tomllib.loads(LEDGER.read_text(encoding="utf-8")).items():
            lines += [f"## {page_title(page)}", "", f"The page: {{doc}}`/{page}`.", ""]
            for claim in claims:
                lines += [f"* {claim['says']}", "", f"  *Shown by* {proof_text(claim)}.", ""]
        section = nodes.section()
        section.document = self.state.document
        self.state.nested_parse(StringList(lines, str(LEDGER)), 0, section, match_titles=1)
        return section.children


def setup(app):
    app.add_directive("claims", Claims)
