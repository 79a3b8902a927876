"""XorLab's random search: what it counts is NumPy's, it can be stopped, and the page answers while it runs."""

import numpy as np
import pytest

from attn.explore import XorLab
from tests.browser.hand import differences, read

COUNTS = """root => [0, 1, 2, 3, 4].map((right) =>
  Number(root.querySelector(`[data-count="${right}"]`).textContent.replace(/,/g, "")))"""
# Started, and stopped after the first slice that found anything: how many are tried then.
STOPPED = f"""async (root) => {{
  const button = root.querySelector('[data-action="search"]');
  const tried = () => ({COUNTS})(root).reduce((sum, count) => sum + count);
  button.click();
  while (!tried()) await new Promise((done) => setTimeout(done));
  button.click();
  return tried();
}}"""
DONE = "() => document.querySelector('[data-action=search]').textContent !== 'Stop'"


def search(view):
    view.locator('[data-action="search"]').click()
    view.wait_for_function(DONE)  # from the click on, until all are tried, it says "Stop"


@pytest.fixture
def lab(mount):
    def at(**traits):
        view = mount([XorLab(opened=True, **traits)])
        return view, view.query_selector("[data-explorable]")

    return at


@pytest.mark.parametrize("switches", [{}, {"second_head": True}, {"residual": True, "read": "mean"}], ids=str)
def test_it_finds_what_numpy_finds(lab, switches):
    """And takes the weights of no one before they are loaded; a second run goes on."""
    view, root = lab(**switches)
    before = root.evaluate("root => probe.state(root)")
    search(view)
    assert root.evaluate("root => probe.state(root)") == before
    counts, best = XorLab(**switches).search(20_000)
    assert root.evaluate(COUNTS) == counts.tolist()
    view.locator('[data-action="search-load"]').click()
    found = XorLab(**switches, **best)
    assert list(differences(found, read(root))) == []
    wall = 3 if not switches else 4
    assert view.locator(".abh-score b").text_content() == f"{wall} of 4"
    assert f"Best: {wall} of 4" in view.locator(".abh-search [role=status]").text_content()
    search(view)
    assert root.evaluate(COUNTS) == found.search(40_000)[0].tolist()


def test_it_can_be_stopped_and_reset_and_other_switches_are_another_search(lab):
    view, root = lab()
    tried = root.evaluate(STOPPED)
    assert 0 < tried < 20_000
    view.evaluate("probe.settled()")
    assert sum(root.evaluate(COUNTS)) == tried
    search(view)  # the rest
    assert root.evaluate(COUNTS) == XorLab().search(20_000)[0].tolist()
    view.evaluate("document.querySelector('[data-action=search]').click()")
    view.locator('[data-action="reset"]').click()
    view.evaluate("probe.settled()")
    assert root.evaluate(COUNTS) == [0] * 5
    search(view)
    view.locator("[name=ffn]").check()
    assert root.evaluate(COUNTS) == [0] * 5
    assert view.locator('[data-action="search-load"]').is_disabled()


def test_the_page_answers_while_it_runs(lab):
    """The page has its turns, and a slider moves the picture in each."""
    view, root = lab(ffn=True, second_head=True, position=True)
    tried, moved = root.evaluate(
        f"""async (root) => {{
          const button = root.querySelector('[data-action=search]');
          const [tried, seen] = [[], new Set()];
          const slider = root.querySelector('[name=angle]');
          const line = root.querySelector('.abh-cut');
          button.click();
          while (button.textContent === 'Stop') {{
            await new Promise((done) => setTimeout(done));
            tried.push(({COUNTS})(root).reduce((sum, count) => sum + count));
            slider.value = Number(slider.value) > 170 ? -180 : Number(slider.value) + 1;
            slider.dispatchEvent(new Event('input'));
            seen.add(line.outerHTML);
          }}
          return [tried, seen.size];
        }}"""
    )
    assert tried[-1] == 20_000
    assert np.diff(tried, prepend=0).max() < 20_000 / 3, "a slice is a small part of the search"
    assert moved > 5


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
