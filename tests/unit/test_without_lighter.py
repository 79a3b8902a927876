"""What only serves smallness (bookext/lighter) can be deleted, with the one line that names it: pages are as right."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r'\n    app\.setup_extension\("bookext\.lighter"\).*')
CONF = """
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design", "sphinx_book_theme", "bookext"]
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "off"
html_theme = "sphinx_book_theme"
html_math_renderer = "mathml"
html_theme_options = {
    "pygments_light_style": "a11y-high-contrast-light", "pygments_dark_style": "a11y-high-contrast-dark",
    "use_fullscreen_button": False,
}
"""
PAGE = """# A page

The root of $d_k$:

```python
scores = q @ k.T  # all pairs
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book of one page, built with the folder and without: the text of the page, and the folder of its files."""
    books = {}
    for whole in (True, False):
        place = tmp_path_factory.mktemp("book").resolve()
        for name in ("attn", "bookext"):
            shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "requirements.txt", place)  # the pins, which the extension reads for its cache
        if not whole:
            shutil.rmtree(place / "bookext" / "lighter")
            text, count = LINE.subn("", (place / "bookext" / "__init__.py").read_text(encoding="utf-8"))
            assert count == 1
            (place / "bookext" / "__init__.py").write_text(text, encoding="utf-8")
        (place / "source").mkdir()
        (place / "source" / "conf.py").write_text(CONF, encoding="utf-8")
        (place / "source" / "index.md").write_text(PAGE, encoding="utf-8")
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "source", "html"]
        env = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        books[whole] = (place / "html" / "index.html").read_text(encoding="utf-8"), place / "html" / "_static"
    return books


def text_of(page):
    """What a reader reads in a page's article."""
    article = re.search(r"<article.*?</article>", page, re.DOTALL)[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", article)).strip()


def test_both_say_the_same(built):
    assert "scores = q @ k.T # all pairs" in text_of(built[True][0])
    assert text_of(built[False][0]) == text_of(built[True][0])


def test_without_it_a_page_has_colors_font_and_script_in_the_plain_way(built):
    page, static = built[False]
    assert '<span class="c1"># all pairs</span>' in page
    assert "data-runs" not in page
    for name in ("formulas.css", "formulas.js", "pygments.css", "type.css"):
        assert f"_static/{name}" in page
    for name, count in (("formulas.css", 1), ("type.css", 5)):
        addresses = re.findall(r'url\("([^"]+)"\)', (static / name).read_text(encoding="utf-8"))
        assert len(addresses) == count
        for address in addresses:
            assert (static / address).read_bytes()[:4] == b"wOF2"


def test_with_it_a_page_has_one_sheet_and_no_element_in_code(built):
    page, static = built[True]
    assert page.count('rel="stylesheet"') == 3  # two of them, with fonts, for readers without scripts
    assert "_static/formulas." not in page
    assert '<pre data-runs="' in page
    assert not list(static.glob("*.woff2"))
