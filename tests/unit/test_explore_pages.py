"""The page of a figure's own, from a piece of a built page."""

import json
import re
from types import SimpleNamespace

import pytest

from bookext.explorables import close_slot, figure_name, open_slot
from bookext.explore_pages import write_pages


def test_pages_in_two_folders_share_no_name():
    pages = ["chapters/03_masking", "chapters/teaching/03_masking", "index", "chapters/teaching/index"]
    names = {figure_name(page, "masking", place) for page in pages for place in (0, 1)}
    assert len(names) == 2 * len(pages)


def test_two_figures_with_one_page_are_refused(tmp_path):
    (tmp_path / "_static").mkdir()
    text = open_slot("masking", explore="explore/a-masking.html") + close_slot({})
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    app = SimpleNamespace(
        outdir=tmp_path, builder=SimpleNamespace(format="html"), config=SimpleNamespace(html_title="A")
    )
    with pytest.raises(ValueError, match=r"would share the page explore/a-masking\.html; one is in b\.html"):
        write_pages(app, None)


def test_pages_are_written_and_old_ones_go(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "explore").mkdir()
    (tmp_path / "explore" / "old.html").write_text("", encoding="utf-8")
    state = {"links": [{"href": "chapters/a.html"}], "says": "</script> & <b>"}
    slot = open_slot("masking", explore="explore/index-masking.html")
    plain = open_slot("predict")
    (tmp_path / "index.html").write_text(
        f'<h1>Print</h1><h1>Masks &amp; <em>more</em><a class="headerlink" href="#a">#</a></h1>'
        f"{slot}{close_slot(state)}{plain}{close_slot({})}",
        encoding="utf-8",
    )
    config = SimpleNamespace(html_title="A Book")
    app = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(format="html"), config=config)
    write_pages(app, None)
    assert [path.name for path in (tmp_path / "explore").iterdir()] == ["index-masking.html"]
    text = (tmp_path / "explore" / "index-masking.html").read_text(encoding="utf-8")
    assert "Masks &amp; more (A Book)</a></h1>" in text
    assert 'href="../index.html"' in text
    assert 'data-explore="index-masking.html"' in text
    (traits,) = re.findall(r"data-abh>(.*?)</script>", text)
    assert json.loads(traits) == state | {"links": [{"href": "../chapters/a.html"}]}
    (script,) = re.findall(r'<script async[^>]*src="\.\./_static/([^"]+)"', text)
    assert (tmp_path / "_static" / script).is_file()
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", text), "an inline script"
    assert not re.search(r"\son\w+=", text.split("<body>")[1])
    write_pages(app, RuntimeError("a failed build"))
