"""The local Sphinx extension: numbers can't get stale, pages carry what they need and no more."""

import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache

from attn.explore import Masking, Predict
from bookext import explorables, markup, npm, offline, search, stale, typography
from bookext.lighter import sheets

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


def test_fingerprint_follows_sources_names_and_packages_and_ignores_caches(package, tmp_path, monkeypatch):
    seen = [stale.fingerprint(package)]
    for name in ("masks.py", "js/core.js", "js/explore.css", "data/book.txt", "data/runs.npz"):
        (package / name).write_text((package / name).read_text() + " ")
        seen.append(stale.fingerprint(package))
    (package / "masks.py").rename(package / "mask.py")
    seen.append(stale.fingerprint(package))
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "masks.cpython-311.pyc").write_bytes(b"x")
    (package / ".masks.py.swp").write_bytes(b"x")  # an editor's
    assert stale.fingerprint(package) == seen[-1]
    for text in ("numpy==2.4.6", "numpy==2.4.7"):
        monkeypatch.setattr(stale, "PINS", tmp_path / "requirements.txt")
        stale.PINS.write_text(text)
        seen.append(stale.fingerprint(package))
    assert len(set(seen)) == len(seen)
    assert all(re.fullmatch("[0-9a-f]{16}", mark) for mark in seen)


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


def test_nothing_of_an_earlier_build_stays_and_another_folder_is_left_alone(tmp_path):
    """A PDF that an earlier build left could say what the pages no longer say."""
    (tmp_path / "attention-by-hand.pdf").write_bytes(b"%PDF")
    stale.clear(SimpleNamespace(outdir=tmp_path))
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / ".buildinfo").touch()
    stale.clear(SimpleNamespace(outdir=tmp_path))
    assert list(tmp_path.iterdir()) == []


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


TITLES = [f'<p class="{when} admonition-title">code</p>' for when in ("collapsed", "expanded")]
CODE = '<code class="docutils literal{}">{}</code>'

#: How markup is changed: the function, and what becomes of what; None if it stays.
CHANGED = [
    (typography.with_tight_links, 'to<a href="#a"> Exercise 1</a>', 'to <a href="#a">Exercise 1</a>'),
    (typography.with_tight_links, '<a href="#a">here</a> on', None),
    (typography.with_whole_numbers, "at 75 %", "at 75\N{NO-BREAK SPACE}%"),
    (typography.with_whole_numbers, "(0, 1) and (1, 1, 0)", "(0,\N{NO-BREAK SPACE}1) and (1, 1, 0)"),
    (typography.with_whole_numbers, "<pre>7 % 5</pre><script>[(0, 1)]</script>", None),
    (typography.with_whole_numbers, '<svg aria-label="bit 1 in (1, 0)"></svg>', None),
    (
        typography.with_whole_names,
        CODE.format("", '<span class="pre">normalized</span>'),
        CODE.format(" abh-short", "normalized"),
    ),
    (
        typography.with_whole_names,
        CODE.format("", '<span class="pre">n</span> <span class="pre">scaled_dot_product_attention</span>'),
        CODE.format("", '<span class="pre abh-short">n</span> <span class="pre">scaled_dot_product_attention</span>'),
    ),
    (
        markup.with_plain_summaries,
        f'<p>a</p><summary aria-label="x">\n{"".join(TITLES)}\n</summary><summary>b</summary>{TITLES[0]}',
        f"<p>a</p><summary>code</summary><summary>b</summary>{TITLES[0]}",
    ),
    (
        markup.without_old_roles,
        '<div role="list" class="citation-list"><div role="doc-biblioentry">x</div></div>',
        '<div class="citation-list"><div>x</div></div>',
    ),
    (markup.without_old_roles, '<ul role="list"></ul>', None),
    (
        offline.without_unused,
        '<script src="_static/scripts/bootstrap.js"></script>\n'
        '<script defer src="_static/scripts/fontawesome.js?digest=1"></script>\n'
        '<script>let inline = 1;</script>\n',
        '<script src="_static/scripts/bootstrap.js"></script>\n<script>let inline = 1;</script>\n',
    ),
    (
        sheets.deferred,
        '<link rel="preload" as="script" href="a.js"/><script src="a.js"></script>\n<script>let b;</script>\n'
        '<script async src="c.js"></script>\n<script defer src="d.js"></script>',
        '<script defer src="a.js"></script>\n<script>let b;</script>\n'
        '<script async src="c.js"></script>\n<script defer src="d.js"></script>',
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "before", "after"), CHANGED, ids=lambda part: getattr(part, "__name__", "")
)
def test_what_becomes_of_markup(change, before, after):
    assert change(before) == (before if after is None else after)


def test_a_book_without_what_ranks_its_sections_has_no_search_and_no_button_for_it(monkeypatch):
    def install(*_):
        raise npm.NotInstalled("npm could not install minisearch")

    monkeypatch.setattr(npm, "install", install)
    config = SimpleNamespace(html_additional_pages={}, html_theme_options={})
    search.get(SimpleNamespace(), config)
    assert config.html_additional_pages == {}
    assert config.html_theme_options == {"disable_search": True}
    assert not [part for part in config.html_sidebars["**"] if "search" in part]
