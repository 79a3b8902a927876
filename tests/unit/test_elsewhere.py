"""Where the repository is, and what follows: links to Colab and Binder, and a notebook that installs the package."""

import json
import subprocess
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from bookext import elsewhere

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").rglob("*.ipynb"))
HERE = elsewhere.Repository("github.com", "ada/attention")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://github.com/ada/attention", "https://github.com/ada/attention"),
        ("https://github.com/ada/attention.git", "https://github.com/ada/attention"),
        ("https://www.github.com/ada/attention/", "https://github.com/ada/attention"),
        ("https://ada:secret@github.com/ada/attention.git", "https://github.com/ada/attention"),
        ("git@github.com:ada/attention.git", "https://github.com/ada/attention"),
        ("ssh://git@github.com/ada/attention.git", "https://github.com/ada/attention"),
        ("ssh://git@ssh.github.com:443/ada/attention.git", "https://github.com/ada/attention"),
        ("git@gitlab.com:school/class/attention.git", "https://gitlab.com/school/class/attention"),
        ("https://codeberg.org/ada/attention.js\n", "https://codeberg.org/ada/attention.js"),
    ],
)
def test_public_addresses(address, expected):
    assert elsewhere.parsed(address).address == expected


@pytest.mark.parametrize(
    "address",
    [
        "",
        "attention",
        "/srv/git/attention.git",
        "../attention",
        "file:///srv/git/attention",
        "http://github.com/ada/attention",
        "git://github.com/ada/attention",
        "https://git.example.org/ada/attention",
        "git@example.org:ada/attention.git",
        "https://github.com.example.org/ada/attention",
        "https://example.org/github.com/ada/attention",
        "https://github.com/attention",
        "https://github.com/ada/../attention",
        'https://github.com/ada/a"b',
        "https://github.com/ada/attention?tab=x",
        "https://[github.com/ada/attention",
        "C:/work/attention",
    ],
)
def test_other_addresses_give_no_button(address):
    assert elsewhere.parsed(address) is None


@pytest.fixture
def clone(tmp_path):
    def git(*arguments):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    return tmp_path, git


def test_the_remote_is_asked(clone):
    folder, git = clone
    assert elsewhere.repository({}, folder) is None
    git("remote", "add", "upstream", "git@github.com:ada/attention.git")
    assert elsewhere.repository({}, folder) == HERE
    git("remote", "add", "origin", "https://gitlab.com/eve/attention")
    assert elsewhere.repository({}, folder).host == "gitlab.com"


def test_a_folder_inside_another_clone_is_not_that_repository(clone):
    folder, git = clone
    git("remote", "add", "origin", "git@github.com:ada/homepage.git")
    (folder / "attention").mkdir()
    assert elsewhere.repository({}, folder / "attention") is None


def test_a_folder_without_git(tmp_path, monkeypatch):
    assert elsewhere.repository({}, tmp_path) is None
    monkeypatch.setenv("PATH", "")
    assert elsewhere.repository({}, tmp_path) is None


def test_the_environment_goes_first(clone):
    folder, git = clone
    git("remote", "add", "origin", "https://gitlab.com/eve/attention")
    assert elsewhere.repository({"ATTN_REPOSITORY": "https://github.com/ada/attention"}, folder) == HERE
    assert elsewhere.repository({"ATTN_REPOSITORY": ""}, folder) is None
    assert elsewhere.repository({"ATTN_REPOSITORY": "https://git.example.org/a/b"}, folder) is None


def test_links():
    notebook = "chapters/03_masking.ipynb"
    assert HERE.colab(notebook) == (
        "https://colab.research.google.com/github/ada/attention/blob/notebooks/chapters/03_masking.ipynb"
    )
    path = "HEAD?urlpath=lab%2Ftree%2Fchapters%2F03_masking.ipynb"
    assert HERE.binder(notebook) == f"https://mybinder.org/v2/gh/ada/attention/{path}"
    gitlab = elsewhere.parsed("https://gitlab.com/school/class/attention")
    assert gitlab.colab(notebook) is None
    assert gitlab.binder(notebook) == f"https://mybinder.org/v2/gl/school%2Fclass%2Fattention/{path}"
    codeberg = elsewhere.parsed("https://codeberg.org/ada/attention")
    assert codeberg.binder(notebook) == (
        f"https://mybinder.org/v2/git/https%3A%2F%2Fcodeberg.org%2Fada%2Fattention/{path}"
    )


@pytest.mark.parametrize("pagename", ["chapters/03_masking", "chapters/notation"])
@pytest.mark.parametrize(
    "address", ["https://github.com/ada/attention", "https://gitlab.com/ada/attention", ""]
)
def test_buttons(pagename, address, monkeypatch):
    monkeypatch.setenv("ATTN_REPOSITORY", address)
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
    launch = {"github": ["Colab", "Binder"], "gitlab": ["Binder"]}.get(address[8:].split(".")[0])
    expected = [["Notebook" if suffix == ".ipynb" else ".md", "Print"]]
    assert texts == ([launch] if launch and suffix == ".ipynb" else []) + expected
    assert "javascript" not in str(context["header_buttons"])


def test_the_pdf_is_linked_where_it_is_built(monkeypatch):
    group = {"type": "group", "label": "download-buttons", "buttons": []}
    context = {"header_buttons": [group], "pathto": lambda name, _: f"../{name}"}
    monkeypatch.setenv("ATTN_PDF", "")
    elsewhere.add_buttons(None, "index", "", context, None)
    assert group["buttons"] == []
    monkeypatch.setenv("ATTN_PDF", "book.pdf")
    elsewhere.add_buttons(None, "index", "", context, None)
    assert [button["url"] for button in group["buttons"]] == ["../book.pdf"]


# ---------------------------------------------------------------- the first cell


def run_first_cell(monkeypatch, *, installed, colab):
    """Run the cell as IPython would, with stand-ins for pip and Colab; return what they were asked."""
    import importlib.util
    import sys
    import types

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


def test_the_extras_that_it_installs_are_there():
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(elsewhere.EXTRAS.split(",")) <= set(extras)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_a_built_notebook_is_the_chapter_with_one_cell_more(path):
    text = path.read_text(encoding="utf-8")
    built = elsewhere.with_install_cell(text, HERE)
    assert elsewhere.with_install_cell(built, HERE) == built
    notebook = nbformat.reads(built, as_version=4)
    nbformat.validate(notebook)
    assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)
    del notebook.cells[0]
    for cell in notebook.cells:
        assert cell.metadata.pop("id") == cell.id  # where Colab looks for it
    assert notebook == nbformat.reads(text, as_version=4)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "https://hub.example.org/user-redirect/lab/tree/a/",
            "https://hub.example.org/user-redirect/lab/tree/a",
        ),
        (" http://localhost:8888/lab/tree ", "http://localhost:8888/lab/tree"),
        ("", None),
        ("hub.example.org/lab", None),
        ("javascript:alert(1)", None),
        ("ftp://example.org/lab", None),
        ("https://", None),
        ("https://example.org/lab?token=1", None),
        ("https://example.org/lab#x", None),
        ('https://example.org/"onclick="x', None),
        ("https://[example.org", None),
    ],
)
def test_the_address_of_a_jupyterlab(address, expected):
    assert elsewhere.jupyterlab({"ATTN_JUPYTERLAB": address}) == expected
    assert elsewhere.jupyterlab({}) is None


def test_an_exercise_is_opened_at_its_cell_where_an_address_is_known():
    page, cell = "chapters/03_masking.ipynb", "ex-softmax-stub"
    gitlab = elsewhere.Repository("gitlab.com", "school/attention")
    assert elsewhere.places(page, cell, None, None) == []
    assert dict(elsewhere.places(page, cell, HERE, "https://hub.example.org/lab/tree/book")) == {
        "Colab": f"{HERE.colab(page)}#scrollTo={cell}",
        "Binder": f"{HERE.binder(page)}%23cell-id%3D{cell}",
        "JupyterLab": f"https://hub.example.org/lab/tree/book/{page}#cell-id={cell}",
    }
    assert [name for name, _ in elsewhere.places(page, cell, gitlab, None)] == ["Binder"]


def test_a_title_can_break_no_link():
    text = elsewhere.links_html('A "row" <b>', [("Colab", 'https://x.org/?a=1&b="2"')])
    assert "&quot;row&quot; &lt;b&gt;" in text
    assert 'href="https://x.org/?a=1&amp;b=&quot;2&quot;"' in text


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_each_exercise_in_code_has_a_cell_that_can_be_opened(path):
    """The one tagged remove-output, between the exercise's start and its end, as bookext finds it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    inside = False
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            inside = "{exercise-start}" in text or (inside and "{exercise-end}" not in text)
        elif "remove-output" in cell["metadata"].get("tags", []):
            assert inside, cell["id"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_a_chapter_imports_what_is_installed(path):
    """Colab gets the package and two of its extras, so chapters import those, and Python's own modules."""
    import re
    import sys

    allowed = {"attn", "numpy", "matplotlib", "ipywidgets", *sys.stdlib_module_names}
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", code, re.MULTILINE))
    assert imported <= allowed


def test_binder_installs_the_lock():
    folder = ROOT / ".binder"
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if not line.startswith("#")]
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    assert (folder / "runtime.txt").read_text(encoding="utf-8").strip() in {
        f"python-3.{n}" for n in (11, 12, 13)
    }
