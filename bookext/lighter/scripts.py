"""No script keeps a page from standing: they wait, in their order."""

import re
from pathlib import Path


def deferred(page):
    """The page, its script files waiting until it stands, in their order."""
    return re.sub(r"<script(?![^>]*\b(?:async|defer)\b)([^>]*\bsrc=)", r"<script defer\1", page)


def without_preloads(page):
    """The page without requests to load scripts early: they would come before what the reader waits for."""
    return re.sub(r'<link rel="preload" as="script"[^>]*>\s*', "", page)


def calm(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in out.rglob("*.html"):
        if out / "_static" in path.parents:
            continue
        page = path.read_text(encoding="utf-8")
        path.write_text(deferred(without_preloads(page)), encoding="utf-8")


def setup(app):
    app.connect("build-finished", calm, priority=890)
