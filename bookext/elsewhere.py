"""Ways out of a page: the chapter in Colab, in Binder, as a plain notebook; the whole book as a PDF.

The book does not state where its repository is: a copy of it (a fork, a class's own version) has another address. It
is read from the environment variable ``ATTN_REPOSITORY``, which the workflow sets. Where that names no public place,
pages have no such buttons.

Colab opens notebooks from GitHub, and has no ``attn``. So the notebooks that the built book offers (the same that its
``notebooks`` branch holds, see the workflow) start with one cell more than those in ``chapters/``: it installs the
package from that address, in Colab or wherever else it is missing. The notebooks in ``chapters/`` stay as they are.

A school that has the book in a JupyterLab of its own names it by the environment variable ``ATTN_JUPYTERLAB``.
"""

import json
import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

BRANCH = "notebooks"  # the built notebooks, which the workflow puts there
EXTRAS = "explore,check"
HOSTS = {
    "github.com": "gh",
    "gitlab.com": "gl",
    "codeberg.org": "git",
    "bitbucket.org": "git",
}  # and Binder's names
NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)+")


class Repository(NamedTuple):
    """A public repository: its host, and its path there (owner/name; GitLab has groups in groups)."""

    host: str
    path: str

    @property
    def address(self):
        return f"https://{self.host}/{self.path}"

    def colab(self, notebook):
        """Where Colab opens a built notebook; Colab knows GitHub alone."""
        if self.host != "github.com":
            return None
        return f"https://colab.research.google.com/github/{self.path}/blob/{BRANCH}/{quote(notebook)}"

    def binder(self, notebook):
        """Where Binder sets the repository up and opens a notebook in JupyterLab."""
        kind = HOSTS[self.host]
        place = {"gh": self.path, "gl": quote(self.path, safe="")}.get(kind, quote(self.address, safe=""))
        path = quote(f"lab/tree/{notebook}", safe="")
        return f"https://mybinder.org/v2/{kind}/{place}/HEAD?urlpath={path}"


def jupyterlab(environment=os.environ):
    """The address of the book's folder in somebody's JupyterLab, without a slash at its end; None if there is none."""
    address = environment.get("ATTN_JUPYTERLAB", "").strip().rstrip("/")
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    sound = parts.scheme in ("http", "https") and parts.netloc and not (parts.query or parts.fragment)
    return address if sound and not re.search(r"[\s\"'<>]", address) else None


def repository(environment=os.environ):
    """The book's public repository, from its https address; None where there is none, or no host that is known."""
    try:
        parts = urlsplit(environment.get("ATTN_REPOSITORY", "").strip())
    except ValueError:
        return None
    path = parts.path.strip("/").removesuffix(".git")
    proper = NAME.fullmatch(path) and not {".", ".."} & set(path.split("/"))
    plain = parts.scheme == "https" and parts.netloc in HOSTS and not (parts.query or parts.fragment)
    return Repository(parts.netloc, path) if plain and proper else None


# ---------------------------------------------------------------- notebooks


def install_cell(repository):
    """The source of the cell that a built notebook starts with."""
    return f"""# Only where the book's package is missing, as in Colab: install it. Elsewhere this cell does nothing.
import importlib.util
import sys

if importlib.util.find_spec("attn") is None:
    %pip install --quiet "attention-by-hand[{EXTRAS}] @ git+{repository.address}"
if "google.colab" in sys.modules:
    from google.colab import output

    output.enable_custom_widget_manager()  # Colab shows the book's figures only if asked to"""


def with_install_cell(text, repository):
    """A notebook's text with that cell in front; its own cells and outputs stay."""
    notebook = json.loads(text)
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": "install",
        "metadata": {},
        "outputs": [],
        "source": install_cell(repository).splitlines(keepends=True),
    }
    notebook["cells"].insert(0, cell)
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def prepare_notebooks(app, exception):
    if exception or app.builder.format != "html" or not (known := repository()):
        return
    for path in (Path(app.outdir) / "_sources").rglob("*.ipynb"):
        path.write_text(with_install_cell(path.read_text(encoding="utf-8"), known), encoding="utf-8")


# ---------------------------------------------------------------- buttons


def link(text, tooltip, url, label):
    return {"text": text, "tooltip": tooltip, "url": url, "icon": "fas fa-file", "label": label}


def launch_group(known, lab, notebook):
    """The menu of places that run a chapter, of those whose address is known."""
    colab, binder = (known.colab(notebook), known.binder(notebook)) if known else (None, None)
    own = lab and f"{lab}/{quote(notebook)}"
    places = [
        ("Colab", "Run this chapter in Google Colab", colab, "launch-colab"),
        ("Binder", "Run this chapter in Binder", binder, "launch-binder"),
        ("JupyterLab", "Run this chapter in your school's JupyterLab", own, "launch-jupyterlab"),
    ]
    return {
        "tooltip": "Run this chapter elsewhere",
        "icon": "fas fa-rocket",
        "label": "launch-buttons",
        "buttons": [link(*place) for place in places if place[2]],
    }


def add_buttons(app, pagename, templatename, context, doctree):
    """Give a chapter its ways out; turn the theme's print button into one without a script of its own."""
    buttons = context.get("header_buttons", [])
    for group in buttons:
        for button in group.get("buttons", []):
            if button.get("javascript") == "window.print()":
                del button["javascript"]
                button.update(text="Print", tooltip="Print this page")
            elif button["text"] == ".ipynb":
                button.update(text="Notebook", tooltip="Download this chapter as a notebook")
        if group.get("label") == "download-buttons" and (pdf := os.environ.get("ATTN_PDF")):
            address = context["pathto"](pdf, 1)
            group["buttons"].append(link("Book as PDF", "The whole book as a PDF", address, "book-pdf"))
    known, lab = repository(), jupyterlab()
    if context.get("page_source_suffix") == ".ipynb" and (known or lab):
        buttons.insert(0, launch_group(known, lab, f"{pagename}.ipynb"))


def setup(app):
    app.connect("html-page-context", add_buttons, priority=600)  # the theme's come at 501
    app.connect("build-finished", prepare_notebooks)
