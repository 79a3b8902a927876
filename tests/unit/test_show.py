"""Numbers on the page: what a cell shows as text and as a table, against the array that went in."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from bs4 import BeautifulSoup

from attn.show import WIDTH, show, table

TOKENS = ["the", "cat", "sat"]


def page(shown):
    """Titles and rows of cells of all tables in a page's text, and the places of cells that are hatched."""
    soup = BeautifulSoup(shown._repr_mimebundle_()["text/html"], "html.parser")
    tables = [[row.find_all(["th", "td"]) for row in one.find_all("tr")] for one in soup.find_all("table")]
    spots = [(i, j, cell) for rows in tables for i, row in enumerate(rows) for j, cell in enumerate(row)]
    return SimpleNamespace(
        titles=[title.get_text() for title in soup.find_all("figcaption")],
        tables=[[[cell.get_text() for cell in row] for row in rows] for rows in tables],
        hatched=[(i, j) for i, j, cell in spots if "abh-hidden" in cell.get("class", [])],
    )


def test_a_matrix_has_its_name_shape_words_and_numbers():
    q = np.array([[1.0, -0.5], [0.125, 2.0], [0.0, 1e9]])
    shown = show(TOKENS, q=q)
    assert page(shown).titles == ["q 3 × 2"]
    assert page(shown).tables == [[["the", "1", "−0.50"], ["cat", "0.13", "2"], ["sat", "0", "1e9"]]]
    assert str(shown) == "q 3 × 2\nthe     1  −0.50\ncat  0.13      2\nsat     0    1e9"


def test_only_pairs_have_words_above():
    square = np.arange(9.0).reshape(3, 3)
    got = page(show(TOKENS, q=square, scores=square, masked_scores=square, mask=square > 4))
    assert [rows[0] for rows in got.tables] == [["the", "0", "1", "2"], *[["", *TOKENS]] * 3]
    named = page(show(TOKENS, columns=["a", "b"], rows=["1"], v=square[:, :2], w=square[:1, :2]))
    assert [rows[0] for rows in named.tables] == [["", "a", "b"]] * 2
    assert [rows[1][0] for rows in named.tables] == ["the", "1"]


def test_weights_have_sums_and_are_not_rounded_away():
    weights = np.array([[0.999, 0.001], [0.87, 0.87]])
    (rows,) = page(show(["a", "b"], weights=weights)).tables
    assert rows == [["", "a", "b", "Σ"], ["a", ">.99", "<.01", "1"], ["b", "0.87", "0.87", "1.74"]]
    (rows,) = page(show(weights=weights)).tables
    assert rows[0] == ["", "", "Σ"]


def test_what_may_not_look_is_hatched():
    scores = np.array([[0.5, -np.inf], [1.0, 2.0]])
    got = page(show(["a", "b"], scores=scores))
    assert got.tables[0][1] == ["a", "0.50", "−∞"]
    assert got.hatched == [(1, 2)]
    got = page(show(mask=np.tri(2, dtype=bool)))
    assert got.tables[0] == [["✓", "·"], ["✓", "✓"]]
    assert got.hatched == [(0, 1)]


def test_a_vector_is_a_row():
    got = page(show(TOKENS, weights=np.array([0.5, 0.25, 0.25])))
    assert got.titles == ["weights 3"]
    assert got.tables == [[["the", "cat", "sat", "Σ"], ["0.50", "0.25", "0.25", "1"]]]


def test_matrices_stand_side_by_side_while_a_phone_has_room():
    small, wide = np.ones((2, 2)), np.full((2, 9), -1.25)
    first, *_ = str(show(q=small, k=small)).splitlines()
    assert re.fullmatch(r"q 2 × 2 +k 2 × 2", first)
    lines = str(show(q=wide, k=wide)).splitlines()
    assert lines[0] == "q 2 × 9"
    assert "k 2 × 9" in lines
    assert max(map(len, lines)) <= WIDTH


def test_a_table():
    shown = table(
        {
            "scale": ["none", "÷ √d_k"],
            "variance": np.array([64.0, 1.004]),
            "share": [0.125, 1],
            "ok": [False, True],
        },
        decimals={"variance": 3, "share": "%"},
    )
    assert page(shown).tables == [
        [
            ["scale", "variance", "share", "ok"],
            ["none", "64", "13 %", "no"],
            ["÷ √dk", "1.004", "100 %", "yes"],
        ]
    ]
    assert str(shown).splitlines()[0] == "scale   variance  share   ok"
    assert page(table({"d_k": [4, 8]})).tables == [[["dk"], ["4"], ["8"]]]
    assert page(table({"x": [0.123456]}, decimals=4)).tables == [[["x"], ["0.1235"]]]


def test_text_in_a_page_is_text():
    assert page(table({"a<b": ["<script>", "&"]})).tables == [[["a<b"], ["<script>"], ["&"]]]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: show(), "show needs at least one named matrix, such as weights=weights, got none"),
        (lambda: show(q=np.ones((2, 3, 4))), "q must have one or two axes, got shape (2, 3, 4)"),
        (lambda: show(q=3.0), "q must have one or two axes, got shape ()"),
        (lambda: table({}), "columns must have one length, got no column"),
        (lambda: table({"a": [1], "b": [1, 2]}), "columns must have one length, got {'a': 1, 'b': 2}"),
    ],
)
def test_wrong_input_is_named(call, says):
    with pytest.raises(ValueError, match="^" + re.escape(says)):
        call()
