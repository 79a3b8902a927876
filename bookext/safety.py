"""A Content-Security-Policy in each page: what the book does not need, its pages may not do.

The policy stands in a meta tag, since a page that is opened from a file has no server to send headers. It allows the
book's own files, pictures and fonts that stand in a style sheet, and exactly those inline scripts that the page had
when it was written, by their hashes. Event handlers in attributes are refused by it: the theme's template that has them
is replaced by ``templates/article-header-buttons.html``.
"""

import base64
import hashlib
import re
from pathlib import Path

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
TYPE = re.compile(r"""\btype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
CODE = ("", "module", "text/javascript", "application/javascript")  # other types are data, which nothing runs
CHARSET = re.compile(r"<meta\s+charset=[^>]*>", re.IGNORECASE)


def inline_scripts(page):
    """The text of each inline script that a browser would run, in order."""
    for attributes, text in SCRIPT.findall(page):
        kind = TYPE.search(attributes)
        if not re.search(r"\bsrc\s*=", attributes) and (kind[1].lower() if kind else "") in CODE:
            yield text


def hash_of(script):
    """A script as the policy names it."""
    digest = hashlib.sha256(script.replace("\r\n", "\n").encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def policy(page):
    """The policy of a page, from its inline scripts; where its cells can run, Python may, in a worker of the book's."""
    hashes = sorted({hash_of(script) for script in inline_scripts(page)})
    python = "/page.js" in page
    return "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self'", *(["'wasm-unsafe-eval'"] if python else []), *hashes]),
            *(["worker-src 'self'"] if python else []),
            "style-src 'self' 'unsafe-inline'",  # formulas and slots have style attributes
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",  # style sheets, where somebody asks for them; the search needs nothing
            "form-action 'self'",
            "base-uri 'none'",
        ]
    )


def guarded(page):
    """The page with its policy, in front of all that the policy is for."""
    if not CHARSET.search(page):
        raise ValueError("expected a page with <meta charset=…>, behind which the policy goes; found none")
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy(page)}" />'
    return CHARSET.sub(lambda match: f"{match[0]}\n    {tag}", page, count=1)


def guard(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in out.rglob("*.html"):
        if out / "_static" not in path.parents:
            path.write_text(guarded(path.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("build-finished", guard, priority=960)  # when nothing changes the pages any more
