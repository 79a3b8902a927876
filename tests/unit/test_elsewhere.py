"""Where the repository is, and what follows: links to Colab and Binder, and a notebook that installs the package."""

import importlib.util
import json
import re
import sys
import types
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from bookext import elsewhere

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").rglob("*.ipynb"))
HERE = elsewhere.Repository("github.com", "ada/attention")


PUBLIC = {
    "https://github.com/ada/attention": [
        "https://github.com/ada/attention", "https://github.com/ada/attention.git", "https://github.com/ada/attention/\n",
    ],
    "https://gitlab.com/school/class/attention": ["https://gitlab.com/school/class/attention"],
    "https://codeberg.org/ada/attention.js": ["https://codeberg.org/ada/attention.js"],
}  # fmt: skip
OTHER = [
    "", "attention", "/srv/git/attention.git", "../attention", "file:///srv/git/attention", "C:/work/attention",
    "http://github.com/ada/attention", "git@github.com:ada/attention.git", "https://git.example.org/ada/attention",
    "https://ada:secret@github.com/ada/attention", "https://github.com.example.org/ada/attention",
    "https://example.org/github.com/ada/attention", "https://github.com/attention", "https://[github.com/ada/attention",
    "https://github.com/ada/../attention", 'https://github.com/ada/a"b', "https://github.com/ada/attention?tab=x",
]  # fmt: skip


def named(address):
    return elsewhere.repository({"ATTN_REPOSITORY": address})


def test_public_addresses_and_others_which_give_no_button():
    for expected, addresses in PUBLIC.items():
        assert {named(address).address for address in addresses} == {expected}
    assert [address for address in OTHER if named(address)] == []
    assert elsewhere.repository({}) is None


def test_links():
    notebook = "chapters/03_masking.ipynb"
    assert HERE.colab(notebook) == (
        "https://colab.research.google.com/github/ada/attention/blob/notebooks/chapters/03_masking.ipynb"
    )
    path = "HEAD?urlpath=lab%2Ftree%2Fchapters%2F03_masking.ipynb"
    assert HERE.binder(notebook) == f"https://mybinder.org/v2/gh/ada/attention/{path}"
    gitlab = named("https://gitlab.com/school/class/attention")
    assert gitlab.colab(notebook) is None
    assert gitlab.binder(notebook) == f"https://mybinder.org/v2/gl/school%2Fclass%2Fattention/{path}"
    codeberg = named("https://codeberg.org/ada/attention")
    assert codeberg.binder(notebook) == (
        f"https://mybinder.org/v2/git/https%3A%2F%2Fcodeberg.org%2Fada%2Fattention/{path}"
    )


@pytest.mark.parametrize("pagename", ["chapters/03_masking", "chapters/notation"])
@pytest.mark.parametrize(
    ("address", "lab", "launch"),
    [
        ("https://github.com/ada/attention", "", ["Colab", "Binder"]),
        ("https://gitlab.com/ada/attention", "https://hub.example.org/lab/tree/a", ["Binder", "JupyterLab"]),
        ("", "https://hub.example.org/lab/tree/a", ["JupyterLab"]),
        ("", "", []),
    ],
)
def test_buttons(pagename, address, lab, launch, monkeypatch):
    monkeypatch.setenv("ATTN_REPOSITORY", address)
    monkeypatch.setenv("ATTN_JUPYTERLAB", lab)
    monkeypatch.delenv("ATTN_PDF", raising=False)
    suffix = ".ipynb" if "03" in pagename else ".md"
    download = {"type": "link", "text": suffix, "tooltip": "", "url": "a"}
    printing = {"type": "javascript", "javascript": "window.print()", "text": ".pdf", "tooltip": ""}
    group = {"type": "group", "label": "download-buttons", "buttons": [download, printing]}
    context = {
        "header_buttons": [group],
        "page_source_suffix": suffix,
        "pathto": lambda name, _: f"../{name}",
    }
    elsewhere.add_buttons(None, pagename, "", context, None)
    texts = [[button["text"] for button in group["buttons"]] for group in context["header_buttons"]]
    expected = [["Notebook" if suffix == ".ipynb" else ".md", "Print"]]
    assert texts == ([launch] if launch and suffix == ".ipynb" else []) + expected
    assert "window.print" not in str(context["header_buttons"])
    if lab and "03" in pagename:
        assert context["header_buttons"][0]["buttons"][-1]["url"] == f"{lab}/chapters/03_masking.ipynb"


def test_the_pdf_is_linked_where_it_is_built(monkeypatch):
    group = {"type": "group", "label": "download-buttons", "buttons": []}
    context = {"header_buttons": [group], "pathto": lambda name, _: f"../{name}"}
    monkeypatch.setenv("ATTN_PDF", "")
    elsewhere.add_buttons(None, "index", "", context, None)
    assert group["buttons"] == []
    monkeypatch.setenv("ATTN_PDF", "book.pdf")
    elsewhere.add_buttons(None, "index", "", context, None)
    assert [button["url"] for button in group["buttons"]] == ["../book.pdf"]


def run_first_cell(monkeypatch, *, installed, colab):
    """Run the cell as IPython would, with stand-ins for pip and Colab; return what they were asked."""
    asked = []

    class Shell:
        def run_line_magic(self, name, line):
            asked.append((name, line))

    module = types.ModuleType("google.colab")
    module.output = types.SimpleNamespace(enable_custom_widget_manager=lambda: asked.append("widgets"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if installed else None)
    if colab:
        monkeypatch.setitem(sys.modules, "google", types.ModuleType("google"))
        monkeypatch.setitem(sys.modules, "google.colab", module)
    code = TransformerManager().transform_cell(elsewhere.install_cell(HERE))
    exec(code, {"get_ipython": Shell})
    return asked


@pytest.mark.parametrize("colab", [True, False])
@pytest.mark.parametrize("installed", [True, False])
def test_the_first_cell_installs_where_the_package_is_missing(monkeypatch, installed, colab):
    asked = run_first_cell(monkeypatch, installed=installed, colab=colab)
    pip = ("pip", 'install --quiet "attention-by-hand[explore,check] @ git+https://github.com/ada/attention"')
    assert asked == ([] if installed else [pip]) + (["widgets"] if colab else [])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_a_built_notebook_is_the_chapter_with_one_cell_more(path):
    """And a chapter imports what is installed there: the package and two of its extras, and Python's own modules."""
    text = path.read_text(encoding="utf-8")
    built = elsewhere.with_install_cell(text, HERE)
    notebook = nbformat.reads(built, as_version=4)
    nbformat.validate(notebook)
    assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)
    del notebook.cells[0]
    assert notebook == nbformat.reads(text, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    allowed = {"attn", "numpy", "matplotlib", "ipywidgets", *sys.stdlib_module_names}
    assert set(re.findall(r"^\s*(?:from|import) (\w+)", code, re.MULTILINE)) <= allowed


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_each_stub_stands_in_its_exercise(path):
    """A cell tagged remove-output, between the exercise's start and its end: there its button says Check."""
    inside = False
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            inside = "{exercise-start}" in text or (inside and "{exercise-end}" not in text)
        elif "remove-output" in cell["metadata"].get("tags", []):
            assert inside, cell["id"]


def test_the_address_of_a_jupyterlab():
    def asked(address):
        return elsewhere.jupyterlab({"ATTN_JUPYTERLAB": address})

    hub = "https://hub.example.org/user-redirect/lab/tree/a"
    assert [asked(f"{hub}/"), asked(" http://localhost:8888/lab/tree ")] == [
        hub,
        "http://localhost:8888/lab/tree",
    ]
    wrong = [
        "", "hub.example.org/lab", "javascript:alert(1)", "ftp://example.org/lab", "https://", "https://[example.org",
        "https://example.org/lab?token=1", "https://example.org/lab#x", 'https://example.org/"onclick="x',
    ]  # fmt: skip
    assert [address for address in wrong if asked(address)] == []
    assert elsewhere.jupyterlab({}) is None


def test_binder_installs_the_lock():
    folder = ROOT / ".binder"
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if not line.startswith("#")]
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    python = (folder / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert python in (ROOT / ".python-versions").read_text(encoding="utf-8").split()
