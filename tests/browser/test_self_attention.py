"""Chapter 0's figure alone: its numbers are NumPy's, a score lights up its query and its key, points can be dragged."""

import numpy as np
import pytest

from attn.explore import SelfAttention


@pytest.fixture
def open_figure(mount):
    """The page and the root of one figure, opened."""

    def open_it(**traits):
        view = mount([SelfAttention(opened=True, **traits)])
        view.wait_for_selector('[data-ready="1"]')
        return view, view.evaluate_handle("probe.roots()[0]").as_element()

    return open_it


def shown(root):
    matrices = root.evaluate("root => probe.drawn(root).matrices")
    return {matrix["name"]: np.array(matrix["values"]).reshape(matrix["shape"]) for matrix in matrices}


def test_numbers_are_numpys(open_figure):
    rng = np.random.default_rng(0)
    q, k, v = rng.integers(-30, 31, size=(3, 4, 2)) / 10
    words = ["a", "b", "c", "d"]
    _, root = open_figure(tokens=words, q=q, k=k, v=v, asks="b")
    wanted, found = SelfAttention(words, q, k, v).matrices(), shown(root)
    assert wanted.keys() == found.keys()
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-12, atol=1e-12)


def test_one_vector_for_two_jobs(open_figure):
    _, root = open_figure()
    root.query_selector('[data-action="story-k-is-q"]').click()
    found = shown(root)
    np.testing.assert_array_equal(found["k"], found["q"])
    np.testing.assert_array_equal(found["scores"], found["scores"].T)
    root.query_selector('[data-action="story-v-is-k"]').click()
    found = shown(root)
    np.testing.assert_array_equal(found["v"], found["k"])
    assert ((found["q"] * found["output"]).sum(axis=1) >= found["q"] @ found["v"].mean(axis=0)).all()


def test_a_score_lights_up_its_query_and_its_key(open_figure):
    view, root = open_figure()
    root.query_selector('[data-matrix="scores"] td[data-row="1"][data-col="2"]').hover()
    lit = view.evaluate("""() => [...document.querySelectorAll("tr.abh-linked")].map((row) =>
        [row.closest("[data-matrix]").dataset.matrix, row.querySelector("th").textContent].join(" "))""")
    assert sorted(lit) == ["k sat", "output cat", "q cat", "scores cat", "v sat", "weights cat"]
    columns = view.evaluate(
        """() => [...document.querySelectorAll("td.abh-linked")].map((cell) => cell.dataset.col)"""
    )
    assert columns == ["2"] * 6  # three rows in the scores and in the weights


def test_who_asks(open_figure):
    """The chosen word's row is marked wherever it asks; its query is the arrow; the first slider brings `sat` back."""
    view, root = open_figure()
    marked = "() => [...document.querySelectorAll('tr.abh-chosen > th')].map((head) => head.textContent)"
    assert view.evaluate(marked) == ["sat"] * 4
    view.locator('input[name="asks"][value="the"]').check(force=True)
    assert view.evaluate(marked) == ["the"] * 4
    assert view.locator(".abh-arrow-name").text_content() == "q of the"
    view.locator('input[name="q.2.0"]').press("ArrowRight")
    assert view.evaluate(marked) == ["sat"] * 4
    assert shown(root)["q"][2, 0] == 2.1


def test_an_entry_has_one_input(open_figure):
    """The slider above the plane is the dock's for that entry: choosing it there shows no second one."""
    view, root = open_figure()
    names = root.evaluate("root => [...root.querySelectorAll('input[type=range]')].map((node) => node.name)")
    assert sorted(names) == sorted(f"{key}.{i}.{c}" for key in "qkv" for i in range(3) for c in range(2))
    root.query_selector('[data-matrix="q"] td[data-row="2"][data-col="0"]').click()
    assert (
        root.evaluate("root => [...root.querySelectorAll('.abh-editor-ranges input')].some(probe.shown)")
        is False
    )
    field = view.locator(".abh-field")
    assert field.input_value() == "2"
    field.fill("-1")
    field.press("Enter")
    assert shown(root)["q"][2, 0] == -1
    assert view.locator('input[name="q.2.0"]').input_value() == "-1"


@pytest.mark.parametrize(("role", "place"), [("k", (1, 1)), ("v", (-2, -1))])
def test_points_can_be_dragged(open_figure, role, place):
    """`cat`'s key and value follow the mouse, and nothing else moves with them."""
    view, root = open_figure()
    before = shown(root)
    box = view.locator(".abh-plane").bounding_box()
    unit = box["width"] / 6.8
    x, y = box["x"] + box["width"] / 2 + place[0] * unit, box["y"] + box["height"] / 2 - place[1] * unit
    view.mouse.move(x, y)
    view.mouse.down()
    view.mouse.move(x - unit, y + unit, steps=5)
    view.mouse.up()
    after = shown(root)
    np.testing.assert_allclose(after[role][1] - before[role][1], [-1, -1], atol=0.11)
    for name in set("qkv") - {role}:
        np.testing.assert_array_equal(after[name], before[name])
    if role == "v":
        np.testing.assert_array_equal(after["weights"], before["weights"])
