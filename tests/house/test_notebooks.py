"""Each notebook stores what its cells print. The build has run it a moment before, for its page, in a new kernel."""

from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache

from bookext import stale
from tools.notebooks import merge_streams

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = [path for path in sorted((ROOT / "chapters").rglob("*.ipynb")) if path.parent.name[0] != "."]
# A picture differs from one matplotlib to the next, and the build draws it as a part of its page (bookext/stills.py).
STILL = '<svg xmlns="http://www.w3.org/2000/svg"><g class="abh-'
NOT_COMPARED = {"image/png", "application/vnd.jupyter.widget-view+json"}


def printed(cell):
    """What a cell printed, in its order: streams and data, each with its kind."""
    for output in merge_streams(cell.outputs):
        data = output.get("data", {})
        kept = {kind: text for kind, text in data.items() if kind not in NOT_COMPARED}
        if kept.get("image/svg+xml", "").startswith(STILL):
            del kept["image/svg+xml"]
        yield output.output_type, output.get("name"), output.get("text"), output.get("evalue"), kept


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.relative_to(ROOT / "chapters").as_posix())
@pytest.mark.usefixtures("book_html")
def test_a_notebook_stores_what_it_prints(path):
    stored = nbformat.read(path, as_version=4)
    cache = get_cache(stale.folder(ROOT))
    try:
        run = cache.get_cache_bundle(cache.match_cache_notebook(stored).pk).nb
    except KeyError:
        pytest.skip("the build has not run it as it is now: `make book`")
    cells = [[cell for cell in book.cells if cell.cell_type == "code"] for book in (stored, run)]
    for cell, ran in zip(*cells, strict=True):
        assert ran.source == cell.source
        assert ran.execution_count is not None
        assert list(printed(cell)) == list(printed(ran)), f"cell {cell.id}"
