"""XorLab's score, and where its weights open."""

import numpy as np
import pytest

from attn.explore import XorLab


@pytest.fixture
def lab(mount):
    def at(**traits):
        view = mount([XorLab(opened=True, **traits)])
        return view, view.query_selector("[data-explorable]")

    return at


def test_the_best_so_far_begins_anew_after_reset(lab):
    view, root = lab()
    said = view.locator(".abh-score .abh-label")
    first = said.text_content()
    rights = set()
    for bias in np.linspace(-3, 3, 13):
        root.evaluate("(root, value) => probe.set(root, 'bias', value)", float(bias))
        rights.add(int(view.locator(".abh-score b").text_content()[0]))
        assert said.text_content() == f"best so far: {max(rights | {int(first[-6])})} of 4"
    assert max(rights) > int(first[-6])
    view.locator('[data-action="reset"]').click()
    assert said.text_content() == first


def test_the_weights_open_below_their_button_on_a_phone(mount):
    """And beside the picture where there is room; they are one and the same, also when the window changes."""
    view = mount([XorLab()], width=390, height=844)
    view.locator('[data-action="open"]').click()
    places = """() => {
      const [dock, plane, open] = [".abh-matrix-editor", ".abh-plane", '[data-action="open"]']
        .map((what) => document.querySelector(what).getBoundingClientRect());
      const count = document.querySelectorAll(".abh-matrix-editor").length;
      return [dock.top > open.bottom, dock.left > plane.right - 1, count].join();
    }"""
    view.wait_for_function(f"() => ({places})() === 'true,false,1'")
    view.set_viewport_size({"width": 1280, "height": 800})
    view.wait_for_function(f"() => ({places})() === 'false,true,1'")
