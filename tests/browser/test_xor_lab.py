"""XorLab's score."""

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
