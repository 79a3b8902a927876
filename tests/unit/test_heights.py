"""The room that a page keeps for its figures: what is measured, what is stored, and what the page makes of it."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from bookext import explorables, heights
from bookext.standalone import BOOK_CSS
from tools import heights as command
from tools.heights import by_column

ROW = dict(zip(map(str, heights.COLUMNS), (700, 650, 500, 480), strict=True))


def test_each_figure_has_a_height_for_each_column_of_the_style_sheet():
    used = re.findall(r"min-height: var\(--abh-(\d+)\)", BOOK_CSS.read_text(encoding="utf-8"))
    assert [int(column) for column in used] == list(heights.COLUMNS)
    for name, columns in heights.measured().items():
        assert list(columns) == used, name
        assert all(isinstance(height, int) and 80 < height < 5000 for height in columns.values()), name


def test_a_figure_has_the_room_that_was_measured_and_a_little_more(monkeypatch):
    monkeypatch.setattr(heights, "measured", lambda: {"a-masking": {"328": 700, "736": 480}})
    spare = heights.SPARE
    assert heights.room("a-masking") == f"--abh-328:{700 + spare}px;--abh-736:{480 + spare}px;"
    assert heights.room("a-masking-2") is None
    assert 'style="--abh-328:712px;"' in explorables.open_slot("masking", "--abh-328:712px;")
    assert "style" not in explorables.open_slot("masking", None)


def with_figures(*models):
    """A document with a live output for each model, as myst-nb leaves it before it chooses."""
    document = new_document("page")
    for key in models:
        bundle = nodes.container(nb_element="mime_bundle")
        view = nodes.raw("", f'<script>{{"model_id": "{key}"}}</script>', mime_type=explorables.WIDGET_VIEW_MIMETYPE)
        bundle += [view, nodes.container("", nodes.image(uri="a.svg"), mime_type="image/svg+xml")]
        document += bundle
    return document


def test_a_figure_that_was_not_measured_is_named_with_the_command(monkeypatch):
    models = {key: {"view": "masking", "state": {"alt": "A mask."}} for key in "ab"}
    monkeypatch.setattr(explorables, "page_models", lambda env, docname: models)
    monkeypatch.setattr(heights, "measured", lambda: {"07_x-masking": ROW})
    said = []
    monkeypatch.setattr(
        explorables.logger, "warning", lambda text, *names, location: said.append((text % names, location))
    )
    slots = explorables.Slots(with_figures("a", "b"))
    slots.__dict__["app"] = None
    monkeypatch.setattr(explorables.Slots, "env", SimpleNamespace(docname="chapters/07_x"))
    slots.run()
    first, second = slots.document.findall(explorables.slot)
    assert "--abh-328:712px;" in first["room"]
    assert second["room"] is None
    ((text, place),) = said
    assert "07_x-masking-2" in text
    assert "`python -m tools.heights`" in text
    assert place == "chapters/07_x"


def test_the_highest_counts():
    """A figure stands on its page and on a page of its own."""
    found = [("a-masking", 328, 700), ("a-masking", 328, 690), ("a-masking", 736, 480), ("b", 358, 300)]
    assert by_column(found) == {
        "a-masking": {"328": 700, "358": 0, "688": 0, "736": 480},
        "b": {"328": 0, "358": 300, "688": 0, "736": 0},
    }
    assert by_column([("a", 1056, 400), ("a", 736, 410)])["a"]["736"] == 410, "the front page's figure has more room"
    with pytest.raises(ValueError, match="a-masking stands in a column of 640 px"):
        by_column([("a-masking", 640, 700)])


@pytest.mark.parametrize(("more", "stays"), [(0, True), (1, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_height_stays_where_it_fits_and_leaves_little_in_vain(sign, more, stays):
    new, old = {"a": {"328": 700 + sign * (heights.SPARE + more)}}, {"a": {"328": 700}}
    assert command.kept(new, old) == (old if stays else new)


def test_without_a_book_nothing_is_written(tmp_path, monkeypatch, capsys):
    file = tmp_path / "heights.toml"
    monkeypatch.setattr(command, "HEIGHTS", file)
    monkeypatch.setattr(command, "sizes", lambda: iter(()))
    assert command.main([]) == 1
    assert "run `make book` first" in capsys.readouterr().err
    assert not file.exists()
