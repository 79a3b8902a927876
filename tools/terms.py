"""What a page says of the terms of the notation page: which it explains or links, and which it uses before that."""

import re
from pathlib import Path

from tools.text import prose

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "chapters" / "notation.md"
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
# A link to a page explains a term as well: that page, or the one below, does.
PAGE = re.compile(r"^[^:#]*\.(?:ipynb|md)(?:#.*)?$")
NOT_PROSE = [
    (r"^#+ .*$", re.M),  # a heading can't be linked
    (r"^```\{pytorch\}.*?^```", re.M | re.S),  # a box that may stay closed
    (r"```\{(?:exercise|solution|admonition)[^\n]*\n(?::\w+:[^\n]*\n)*", 0),
    (r"^:\w+:.*$", re.M),
    (r"\{\w+(?::\w)?\}`[^`]*`", 0),
    (r"`[^`\n]*`", 0),
    (r"\$\$.*?\$\$", re.S),
    (r"\$[^$\n]*\$", 0),
]


def glossary():
    """The groups of terms that share an explanation, as the notation page has them."""
    (text,) = re.findall(r"^```\{glossary\}\n(.*?)^```", GLOSSARY.read_text(encoding="utf-8"), re.M | re.S)
    groups = []
    for entry in text.strip().split("\n\n"):
        groups.append([line for line in entry.splitlines() if not line.startswith(" ")])
    return groups


def anchor(term):
    """The id of a term on the notation page."""
    return "term-" + re.sub(r"[^A-Za-z0-9]+", "-", term)


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def readable(text):
    """The prose of a page: code, formulas, headings and addresses are blank, and no letter changes its place."""
    for pattern, flags in NOT_PROSE:
        text = re.sub(pattern, blank, text, flags=flags)
    return text


def pattern(term):
    """A term in its forms: plural, and at the start of a sentence."""
    words = re.escape(term).replace(r"\ ", r"[\s-]+")
    ending = r"(?:es)?" if re.search(r"(?:s|x|z|ch|sh)$", term) else "s?"
    if words.endswith("y"):
        words, ending = words[:-1], "(?:y|ies)"
    short = term.isupper() or not term.islower()
    return re.compile(rf"(?<![\w-]){words}{ending}(?![\w-])", 0 if short else re.I)


def explained(text):
    """Stretches that explain what they name: bold words, and links to the term or to a page."""
    for match in re.finditer(r"\*\*(.+?)\*\*", text, re.S):
        yield match.span(1)
    for match in LINK.finditer(text):
        if PAGE.match(match[2]):
            yield match.span(1)


def without_addresses(text):
    return LINK.sub(lambda match: f"[{match[1]}](" + " " * len(match[2]) + ")", text)


def first_uses(text, groups):
    """For each group that a page names: the place, the word, and whether it is explained or linked there."""
    shown, spans = readable(text), list(explained(readable(text)))
    bare = without_addresses(shown)
    for group in groups:
        found = [match for term in group for match in pattern(term).finditer(bare)]
        if found:
            first = min(found, key=lambda match: (match.start(), -match.end()))
            inside = any(start <= first.start() < end for start, end in spans)
            # "200 seeds (a **seed** fixes …)": the explanation follows at once.
            inside |= bool(re.match(r"\s\((?:an? )?\*\*", bare[first.end() :]))
            yield group[0], first, inside


def undefined(path, cores):
    """The terms that a page uses without a word about them; a further page goes on where its chapter ends."""
    groups, known = glossary(), set()
    if path not in cores:
        (core,) = [core for core in cores if core.stem[:2] == path.stem[:2]]
        known = {name for name, *_ in first_uses(prose(core), groups)}
    uses = first_uses(prose(path), groups)
    return [match[0] for name, match, inside in uses if not inside and name not in known]
