"""The local Sphinx extension: numbers can't get stale, pages carry what they need and no more."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from docutils import nodes
from docutils.utils import new_document
from jupyter_cache import get_cache
from myst_nb.sphinx_ import HideCodeCellNode

from attn.explore import Masking, Predict
from attn.explore._base import view_names
from bookext import access, explorables, formulas, lines, markup, offline, quick, stale, typography
from bookext.standalone import page as standalone

ROOT = Path(__file__).resolve().parents[2]


# ------------------------------------------------------------------------------------------ stale numbers


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "attn"
    (folder / "js").mkdir(parents=True)
    (folder / "masks.py").write_text("a = 1\n")
    (folder / "js" / "core.js").write_text("const a = 1;\n")
    (folder / "js" / "explore.css").write_text("a {}\n")
    (folder / "data").mkdir()
    (folder / "data" / "book.txt").write_text("a book\n")
    (folder / "data" / "runs.npz").write_text("numbers\n")
    return folder


@pytest.mark.parametrize(
    "name", ["masks.py", "js/core.js", "js/explore.css", "data/book.txt", "data/runs.npz"]
)
def test_fingerprint_follows_the_sources(package, name):
    before = stale.fingerprint(package)
    assert stale.fingerprint(package) == before
    assert re.fullmatch("[0-9a-f]{16}", before)
    (package / name).write_text((package / name).read_text() + " ")
    assert stale.fingerprint(package) != before


def test_fingerprint_follows_names_and_ignores_caches(package):
    before = stale.fingerprint(package)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "masks.cpython-311.pyc").write_bytes(b"x")
    (package / ".masks.py.swp").write_bytes(b"x")  # an editor's
    assert stale.fingerprint(package) == before
    (package / "masks.py").rename(package / "mask.py")
    assert stale.fingerprint(package) != before


def test_fingerprint_follows_the_packages(package, tmp_path, monkeypatch):
    pins = tmp_path / "requirements.txt"
    monkeypatch.setattr(stale, "PINS", pins)
    marks = [stale.fingerprint(package) for text in ("numpy==2.4.6", "numpy==2.4.7") if pins.write_text(text)]
    assert len(set(marks)) == 2


CONF = """
extensions = ["myst_nb", "stale_of_test"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
"""
EXTENSION = """
import pathlib
from bookext import stale

stale.fingerprint.__defaults__ = (pathlib.Path(__file__).parent / "attn_of_test",)
setup = stale.setup
"""
PAGE = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---
# A page

```{code-cell} ipython3
from attn_of_test import answer
print("the answer is", answer)
```
"""


@pytest.mark.slow
def test_a_change_in_the_package_shows_in_the_next_build(tmp_path):
    """A small book, built anew and again after a change in its package: its page is as it was, and yet runs again."""
    source = tmp_path / "source"
    package = source / "attn_of_test"
    package.mkdir(parents=True)
    (source / "conf.py").write_text(CONF)
    (source / "stale_of_test.py").write_text(EXTENSION)
    (source / "index.md").write_text(PAGE)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)]),
    }
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "JUPYTER_PREFER_ENV_PATH": "1"}

    def build(answer):
        (package / "__init__.py").write_text(f"answer = {answer}\n")
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", source, tmp_path / "html"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "html" / "index.html").read_text(encoding="utf-8")

    assert "the answer is 41" in build(41)
    caches = source / "_build" / ".jupyter_cache"
    assert len(list(caches.iterdir())) == 1
    assert "the answer is 42" in build(42)
    assert len(list(caches.iterdir())) == 2
    shutil.rmtree(tmp_path / "html")


def test_notebooks_run_side_by_side_before_the_pages_are_read(tmp_path):
    """Each is in the cache with what it prints; one that fails is not, so Sphinx runs it again and tells."""
    cells = {"one": "print(1 + 1)", "two": "print(2 + 2)", "wrong": "1 / 0"}
    for name, code in cells.items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(book, tmp_path / f"{name}.ipynb")
    config = SimpleNamespace(
        nb_execution_mode="cache", nb_execution_cache_path=str(tmp_path / "cache"), nb_execution_timeout=60
    )
    env = SimpleNamespace(doc2path=lambda name: tmp_path / name)
    names = [*(f"{name}.ipynb" for name in cells), "page.md"]
    stale.run_together(SimpleNamespace(config=config), env, names)
    cache = get_cache(config.nb_execution_cache_path)
    found = {Path(record.uri).stem: record.pk for record in cache.list_cache_records()}
    assert set(found) == {"one", "two"}
    printed = {name: cache.get_cache_bundle(pk).nb.cells[0].outputs[0].text for name, pk in found.items()}
    assert printed == {"one": "2\n", "two": "4\n"}
    made = [record.created for record in cache.list_cache_records()]
    stale.run_together(SimpleNamespace(config=config), env, names)
    assert [record.created for record in cache.list_cache_records()] == made, "ran what was in the cache"


def test_plugins_of_the_bibliography_are_looked_up_once(monkeypatch):
    from pybtex import plugin

    asked = []
    look_up = plugin._load_entry_point
    monkeypatch.setattr(
        plugin, "_load_entry_point", lambda *names, **how: asked.append(names) or look_up(*names, **how)
    )
    quick.setup(None)
    found = {plugin.find_plugin("pybtex.backends", "plaintext") for _ in range(3)}
    assert [kind.__module__ for kind in found] == ["pybtex.backends.plaintext"]
    assert len(asked) == 1


# ------------------------------------------------------------------------------------------ pages


def test_unused_scripts_are_left_out():
    head = """<link href="theme.css"/>
<script src="_static/scripts/bootstrap.js"></script>
<script defer src="_static/scripts/fontawesome.js?digest=1"></script>
<script>let inline = 1;</script>
<script async="async" src="_static/sphinx-thebe.js"></script>"""
    assert offline.without_unused(head) == "\n".join(head.split("\n")[i] for i in (0, 1, 3)) + "\n"


def test_texts_of_exercises_share_no_id():
    document = new_document("page")
    exercise = nodes.admonition()
    for name in ("exercise-content", "solution-content"):
        exercise += nodes.section("", nodes.paragraph("", name), ids=[name])
    document += [nodes.section("", nodes.title("", "Why"), exercise, ids=["why"])]
    markup.PlainContents(document).run()
    assert [section["ids"] for section in document.findall(nodes.section)] == [["why"]]
    texts = list(document.findall(markup.Content))
    assert [text.astext() for text in texts] == ["exercise-content", "solution-content"]
    assert [text["ids"] for text in texts] == [[], []]


def test_what_a_folded_cell_is_called_is_one_word():
    shown, hidden = (f'<p class="{when} admonition-title">code</p>' for when in ("collapsed", "expanded"))
    body = f'<p>a</p><summary aria-label="x">\n{shown}\n{hidden}\n</summary><summary>b</summary>{shown}'
    assert markup.with_plain_summaries(body) == f"<p>a</p><summary>code</summary><summary>b</summary>{shown}"


def test_the_code_of_a_picture_comes_below_it():
    document = new_document("page")
    folded = HideCodeCellNode(classes=["above-input"])
    output = HideCodeCellNode(classes=["below-input"])
    document += nodes.container("", folded, output)
    markup.CodeBelow(document).run()
    assert document.children[0].children == [output, folded]


@pytest.mark.parametrize(
    ("tags", "folds"),
    [(["tag_fold-input"], True), (["tag_remove-output"], True), (["tag_other"], False), ([], False)],
)
def test_code_folds_on_a_phone_where_a_tag_says_so(tags, folds):
    document = new_document("page")
    code = nodes.container("", nodes.literal_block("", "a = 1"), classes=["cell_input"])
    output = nodes.container("", classes=["cell_output"])
    cell = nodes.container("", code, output, classes=["cell", *tags])
    document += nodes.container("", cell, classes=["exercise"])
    markup.CodeThatFolds(document).run()
    first, second = cell.children
    assert second is output
    assert (first is code) is not folds
    if folds:
        assert isinstance(first, markup.FoldedOnAPhone)
        assert first.children == [code]


WIDE = "scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(len(k[0]))"


@pytest.mark.parametrize("tag", ["<pre>", '<pre data-runs="a3_2">'])
def test_long_lines_are_marked_and_nothing_else_changes(tag):
    text = f"a = 1\n    {WIDE}\n\n{WIDE}\nb &lt; 2"
    page = f'<p>x</p><div class="highlight-python highlight">{tag}{text}</pre></div><pre>{WIDE}</pre>'
    marked = lines.with_marked_lines(page)
    assert marked.count('class="abh-line"') == 2
    assert '<span class="abh-line" style="--abh-in:4ch">    scores' in marked
    assert re.sub(r"<span[^>]*>|</span>", "", marked) == page
    assert lines.without_marks(marked) == page
    assert f"{WIDE}\n</span>b &lt; 2" in marked


def test_a_comment_behind_a_long_line_is_one_piece():
    """So a phone sets it below its code instead of breaking it; what is copied and printed is the same."""
    line = f"    {WIDE}  # (n_q, n_k): a row a query"
    page = f'<div class="highlight"><pre># {WIDE}\n{line}\nq = 1  # brief</pre></div>'
    marked = lines.with_marked_lines(page)
    assert marked.count('class="abh-aside"') == 1
    assert f'{WIDE}<span class="abh-aside">  # (n_q, n_k): a row a query</span>\n</span>' in marked
    assert lines.without_marks(marked) == page


def test_the_second_of_two_empty_lines_is_marked():
    """A phone leaves it out; in what is copied and printed it stands."""
    frame = '<div class="highlight"><pre>{}</pre></div>'
    page = frame.format("a = 1\n\n\nb = 2\n\nc = 3")
    marked = lines.with_marked_lines(page)
    assert marked == frame.format('a = 1\n\n<span class="abh-blank">\n</span>b = 2\n\nc = 3')
    assert lines.without_marks(marked) == page


def test_a_line_with_colors_is_marked_whole():
    line = '<span class="n">scores</span> ' + WIDE
    inner = f'<span class="s">"""one</span>\n{line}\n'
    marked = lines.with_marked_lines(f'<div class="highlight"><pre>{inner}</pre></div>')
    assert f'<span class="abh-line" style="--abh-in:0ch">{line}\n</span>' in marked


def test_the_next_page_is_not_asked_for_in_advance():
    head = """<link rel="search" title="Search" href="search.html" />
<link rel="next" title="One &amp; all" href="one.html" />
<link rel="prev" title="None" href="none.html" />
<link rel="icon" href="next.svg" />"""
    assert offline.without_neighbors(head) == "\n".join(head.split("\n")[i] for i in (0, 3))


def test_old_roles_are_taken_out():
    body = '<div role="list" class="citation-list"><div role="doc-biblioentry">x</div></div>'
    assert access.without_old_roles(body) == '<div class="citation-list"><div>x</div></div>'
    assert access.without_old_roles('<ul role="list"></ul>') == '<ul role="list"></ul>'


def test_rich_text_is_escaped():
    assert explorables.rich("a `<b>` is *so* & so") == "a <code>&lt;b&gt;</code> is <em>so</em> &amp; so"


def test_bundle_parses_and_holds_every_view(tmp_path):
    path = tmp_path / "bundle.js"
    text = explorables.bundle(view_names())
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([formulas.node_executable(), "--check", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    for view in view_names():
        assert f"\n{view}: (() => {{" in text or f",\n{view}: (() => {{" in text


def test_names_change_with_the_content():
    assert explorables.named("a", "one", ".js") == explorables.named("a", "one", ".js")
    assert explorables.named("a", "one", ".js") != explorables.named("a", "two", ".js")


def test_standalone_page_holds_all_that_it_needs():
    from attn.explore import Masking

    text = standalone([Masking(), Masking(tokens=["</script>", "b", "c", "d"])], title="Two & more")
    assert text.count('class="abh-slot"') == 2
    assert "Two &amp; more" in text
    assert not re.search(r"<(?:script|link|img)[^>]*\b(?:src|href)=\"(?!data:)", text)
    traits = [json.loads(found) for found in re.findall(r"data-abh>(.*?)</script>", text, re.DOTALL)]
    assert re.findall(r'data-view="(\w+)"', text) == ["masking", "masking"]
    assert traits[1]["tokens"][0] == "</script>"
    assert not any(name.startswith("_") for state in traits for name in state)


def test_both_palettes_dress_the_same_parts():
    """What has the colors of light has those of the dark: a figure, what `show` prints, a still picture."""
    sheet = (ROOT / "attn" / "explore" / "js" / "explore.css").read_text(encoding="utf-8")
    light = re.search(r"^(\.abh[^{]*?) \{$", sheet, re.MULTILINE)[1]
    assert light == ".abh, .abh-shown, .abh-still"
    dark = re.findall(
        r'(?:\[data-theme="dark"\]|\[data-jp-theme-light="false"\]|\.vscode-dark) :is\((.*?)\)', sheet
    )
    assert set(dark[:3]) == {light}


# ------------------------------------------------------------------------------------------ links to states


def test_a_page_names_the_states_of_its_figures(monkeypatch):
    widgets = [Masking(), Masking(), Predict("Which?", solution=1, explanation="One.", options=["a", "b"])]
    models = {
        str(index): {"view": widget.view, "state": {"rules": widget.rules, "lecture": widget.lecture}}
        for index, widget in enumerate(widgets)
    }
    monkeypatch.setattr(explorables, "page_models", lambda env, docname: models if docname == "masks" else {})
    heading = (1, "by-hand", "By hand")
    env = SimpleNamespace(
        found_docs=["masks", "plain"], metadata=defaultdict(dict, masks={"myst_slugs": {"by-hand": heading}})
    )
    explorables.name_states(None, env)
    slugs = env.metadata["masks"]["myst_slugs"]
    assert slugs.pop("by-hand") == heading
    assert set(slugs) == {"state=Masking", *(f"state={step['name']}" for step in widgets[0].lecture)}
    assert slugs["state=leak"] == (0, "state=leak", widgets[0].lecture[1]["says"])
    assert "myst_slugs" not in env.metadata["plain"]


# ------------------------------------------------------------------------------------------ lines


ONE = '<math class="math" data-tex="x"><mi>x</mi></math>'
TWO = ["<math><mi>x</mi><mo>=</mo></math>", "<math><mi>y</mi></math>"]
LONG = '<span class="math" data-tex="x=y">{}\u200b{}</span>'


@pytest.mark.parametrize(("before", "after"), [("", ","), ("(", ""), ("(", ")."), ("“", "”"), ("", "")])
def test_a_formula_stays_on_the_line_of_the_signs_beside_it(before, after):
    kept = f'<span class="abh-short">{before}{ONE}{after}</span>' if before or after else ONE
    assert typography.with_whole_ends(f"<p>so {before}{ONE}{after} and") == f"<p>so {kept} and"


def test_only_the_ends_of_a_long_formula_stay_with_the_signs_beside_them():
    found = typography.with_whole_ends(f"of ({LONG.format(*TWO)}), and {LONG.format(*TWO)} of {ONE}.")
    ends = [f'<span class="abh-short">({TWO[0]}</span>', f'<span class="abh-short">{TWO[1]}),</span>']
    last = f'<span class="abh-short">{ONE}.</span>'
    assert found == f"of {LONG.format(*ends)} and {LONG.format(*TWO)} of {last}"


@pytest.mark.parametrize("body", ["<code><span>a</span>, b</code>", "a, b", f"<p>{ONE} is</p>"])
def test_the_rest_of_a_page_stays(body):
    assert typography.with_whole_ends(body) == body


def test_a_link_does_not_begin_with_a_space():
    assert typography.with_tight_links('to<a href="#a"> Exercise 1</a>') == 'to <a href="#a">Exercise 1</a>'
    assert typography.with_tight_links('<a href="#a">here</a> on') == '<a href="#a">here</a> on'


def test_short_names_stay_whole_and_one_name_is_one_element():
    code = '<code class="docutils literal">{}</code>'
    word = '<span class="pre">{}</span>'
    one = typography.with_whole_names(code.format(word.format("normalized")))
    assert one == '<code class="docutils literal abh-short">normalized</code>'
    long = typography.with_whole_names(code.format(word.format("scaled_dot_product_attention")))
    assert long == '<code class="docutils literal">scaled_dot_product_attention</code>'
    two = code.format(f"{word.format('n')} {word.format('scaled_dot_product_attention')}")
    assert typography.with_whole_names(two) == two.replace('class="pre">n<', 'class="pre abh-short">n<')
