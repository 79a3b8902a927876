"""What Python in the page is made of: by hash, without what no page needs; and which cells of a page can run."""

import hashlib
import re

import nbformat
import pytest

from bookext import pyodide
from bookext.run import cells_of, code_exercises, is_lone_figure


def test_bytes_that_are_not_what_the_hash_names_are_refused():
    right = hashlib.sha256(b"right").hexdigest()
    assert pyodide.checked("numpy.whl", b"right", right) == b"right"
    with pytest.raises(pyodide.NotGot, match=rf"numpy.whl: expected the SHA-256 {right}, got \w{{64}}"):
        pyodide.checked("numpy.whl", b"wrong", right)


def test_each_file_that_is_taken_has_a_hash():
    lock = pyodide.pins()
    assert set(lock["files"]) >= {"pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"}
    assert all(
        re.fullmatch(r"[0-9a-f]{64}", sha256) for sha256 in [*lock["files"].values(), lock["editor_sha256"]]
    )
    pinned = (pyodide.PINS / "requirements.txt").read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\w)", pinned)[1:]:  # the first is a remark
        assert re.search(r"^[\w-]+==[\w.]+ ", block, re.MULTILINE)
        assert "--hash=sha256:" in block


@pytest.mark.parametrize(
    ("name", "spare"),
    [
        ("numpy/tests/test_ctypeslib.py", True),
        ("numpy/__init__.pyi", True),
        ("numpy/testing/__init__.py", False),
        ("numpy/linalg/_umath_linalg.cpython-312-wasm32-emscripten.so", False),
        ("hypothesis/extra/numpy.py", True),
        ("hypothesis/strategies/__init__.py", False),
        ("numpy-2.0.2.dist-info/LICENSE.txt", False),
        ("matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf", False),
    ],
)
def test_an_archive_leaves_out_what_no_page_needs(name, spare):
    assert bool(pyodide.SPARE.search(name)) == spare


def test_the_books_package_goes_along_without_the_figures_javascript():
    files = pyodide.book_files()
    assert b"def scaled_dot_product_attention" in files["attn/attention.py"]
    assert files["attn/explore/js/masking.js"] == b"export default {};\n"
    assert files["attn/explore/js/draw/matrix.js"] == b""
    assert "page_runtime.py" in files
    assert not [name for name in files if "__pycache__" in name]


@pytest.mark.parametrize(
    ("code", "alone"),
    [
        ("Masking(predict={'question': 'Who?'})", True),
        ("Masking(key=rng.normal(size=3))", False),  # what comes after it draws other numbers
        ("lab = Masking()\nlab", False),
        ("show(weights)", False),
    ],
)
def test_a_figure_that_nothing_needs_does_not_run(code, alone):
    assert is_lone_figure(code) == alone


def test_a_page_knows_its_exercises_solutions_and_what_they_check(tmp_path):
    nb = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell("import numpy as np"),
            nbformat.v4.new_markdown_cell("```{exercise-start} Rows\n:label: ex-rows\n```\nWrite it."),
            nbformat.v4.new_code_cell("rows = ...\ncheck.rows(rows)", metadata={"tags": ["remove-output"]}),
            nbformat.v4.new_markdown_cell("```{exercise-end}\n```\n\n```{solution-start} ex-rows\n```"),
            nbformat.v4.new_code_cell("check.rows(len)"),
            nbformat.v4.new_markdown_cell("```{solution-end}\n```"),
            nbformat.v4.new_code_cell("says('x')", metadata={"tags": ["remove-cell", "says"]}),
        ]
    )
    path = tmp_path / "page.ipynb"
    nbformat.write(nb, path)
    assert [(cell["index"], cell["kind"]) for cell in cells_of(path)] == [
        (0, ""),
        (2, "exercise"),
        (4, "solution"),
    ]
    assert code_exercises(path) == [("rows", "Rows", "ex-rows")]
