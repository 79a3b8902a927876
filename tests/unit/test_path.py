"""The way through the book: from a chapter to its practice and on; further pages beside it."""

import pytest

from bookext.path import neighbors, order_of

ORDER = [
    "index",
    "chapters/00_a",
    "chapters/further/00_x",
    "chapters/further/00_y",
    "chapters/practice/00_a",
    "chapters/01_b",
    "chapters/practice/01_b",
    "chapters/notation",
]


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("index", None, "chapters/00_a"),
        ("chapters/00_a", "index", "chapters/practice/00_a"),
        ("chapters/further/00_x", "chapters/00_a", "chapters/further/00_y"),
        ("chapters/further/00_y", "chapters/further/00_x", "chapters/practice/00_a"),
        ("chapters/practice/00_a", "chapters/00_a", "chapters/01_b"),
        ("chapters/01_b", "chapters/practice/00_a", "chapters/practice/01_b"),
        ("chapters/notation", "chapters/practice/01_b", None),
        ("genindex", None, None),
    ],
)
def test_where_the_arrows_lead(page, before, after):
    assert neighbors(page, ORDER) == (before, after)


def test_the_order_is_that_of_the_contents():
    relations = {page: [None, None, after] for page, after in zip(ORDER, [*ORDER[1:], None], strict=True)}
    assert order_of(relations, "index") == ORDER
    assert order_of({}, "index") == ["index"]
    assert order_of({"a": [None, None, "b"], "b": [None, None, "a"]}, "a") == ["a", "b"]
