"""The ``{claims}`` directive renders ``tests/claims.toml`` as the page *How we know*."""

import tomllib
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

LEDGER = Path(__file__).parent.parent / "tests" / "claims.toml"


def proof_text(claim):
    """How a claim is shown, as Markdown."""
    ways = []
    if "test" in claim:
        ways.append("test " + ", ".join(f"`{name}`" for name in claim["test"]))
    if "cell" in claim:
        ways.append("cell " + ", ".join(f"`{name}`" for name in claim["cell"]))
    if "cite" in claim:
        ways.append("source {cite:p}`" + ",".join(claim["cite"]) + "`")
    return "; ".join(ways)


class Claims(SphinxDirective):
    """All claims, by page."""

    def run(self):
        self.env.note_dependency(str(LEDGER))
        ledger = tomllib.loads(LEDGER.read_text(encoding="utf-8"))
        lines = []
        for page, claims in ledger.items():
            lines += [f"## {{doc}}`/{page}`" if page != "index" else "## {doc}`/index`", ""]
            for claim in claims:
                lines += [f"* {claim['says']}", f"  <br>*Shown by* {proof_text(claim)}.", ""]
        lines = [line.replace("  <br>", "\n  ") for line in lines]
        section = nodes.section()
        section.document = self.state.document
        self.state.nested_parse(StringList("\n".join(lines).split("\n"), str(LEDGER)), 0, section, match_titles=1)
        return section.children


def setup(app):
    app.add_directive("claims", Claims)
