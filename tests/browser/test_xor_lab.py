"""XorLab's random search: what it counts is NumPy's, it can be stopped, and the page answers while it runs."""

import numpy as np
import pytest

from attn.explore import XorLab
from tests.browser.hand import differences, read

COUNTS = """root => [0, 1, 2, 3, 4].map((right) =>
  Number(root.querySelector(`[data-count="${right}"]`).textContent.replace(/,/g, "")))"""
DONE = "() => document.querySelector('.abh-search [role=status]').textContent.includes('tried with')"


def search(view, times=1):
    for _ in range(times):
        view.locator('[data-action="search"]').click()
        view.wait_for_function("() => document.querySelector('[data-action=search]').textContent === 'Stop'")
        view.wait_for_function(DONE)


@pytest.fixture
def lab(mount):
    def at(**traits):
        view = mount([XorLab(opened=True, **traits)])
        return view, view.query_selector("[data-explorable]")

    return at


@pytest.mark.parametrize("switches", [{}, {"second_head": True}, {"residual": True, "read": "mean"}], ids=str)
def test_it_finds_what_numpy_finds(lab, switches):
    view, root = lab(**switches)
    search(view)
    counts, best = XorLab(**switches).search(20_000)
    assert root.evaluate(COUNTS) == counts.tolist()
    view.locator('[data-action="search-load"]').click()
    found = XorLab(**switches, **best)
    assert list(differences(found, read(root))) == []
    wall = 3 if not switches else 4
    assert view.locator(".abh-score b").text_content() == f"{wall} of 4"
    assert f"Best: {wall} of 4" in view.locator(".abh-search [role=status]").text_content()


def test_a_second_run_goes_on(lab):
    view, root = lab()
    search(view, times=2)
    assert root.evaluate(COUNTS) == XorLab().search(40_000)[0].tolist()


def test_other_switches_are_another_search(lab):
    view, root = lab()
    search(view)
    view.locator("[name=ffn]").check()
    assert root.evaluate(COUNTS) == [0] * 5
    assert view.locator('[data-action="search-load"]').is_disabled()


def test_it_can_be_stopped_and_reset(lab):
    view, root = lab()
    view.evaluate("document.querySelector('[data-action=search]').click()")
    view.wait_for_timeout(20)
    view.evaluate("document.querySelector('[data-action=search]').click()")
    tried = sum(root.evaluate(COUNTS))
    assert 0 < tried < 20_000
    view.wait_for_timeout(60)
    assert sum(root.evaluate(COUNTS)) == tried
    search(view)  # the rest
    assert root.evaluate(COUNTS) == XorLab().search(20_000)[0].tolist()
    view.evaluate("document.querySelector('[data-action=search]').click()")
    view.locator('[data-action="reset"]').click()
    view.wait_for_timeout(60)
    assert root.evaluate(COUNTS) == [0] * 5


def test_the_page_answers_while_it_runs(lab):
    """No slice keeps the page busy for longer than a frame or two, and a slider moves the picture meanwhile."""
    view, _ = lab(ffn=True, second_head=True, position=True)
    gaps, moved = view.evaluate(
        """async () => {
          const button = document.querySelector('[data-action=search]');
          const [gaps, seen] = [[], new Set()];
          const slider = document.querySelector('[name=angle]');
          const line = document.querySelector('.abh-cut');
          button.click();
          let last = performance.now();
          while (button.textContent === 'Stop') {
            await new Promise((done) => setTimeout(done));
            const now = performance.now();
            gaps.push(now - last);
            last = now;
            slider.value = Number(slider.value) > 170 ? -180 : Number(slider.value) + 1;
            slider.dispatchEvent(new Event('input'));
            seen.add(line.outerHTML);
          }
          return [gaps, seen.size];
        }"""
    )
    assert len(gaps) > 5
    assert moved > 5
    assert np.quantile(gaps, 0.9) < 50


def test_the_search_takes_the_weights_of_no_one(lab):
    view, root = lab()
    before = root.evaluate("root => probe.state(root)")
    search(view)
    assert root.evaluate("root => probe.state(root)") == before


def test_points_of_any_size_stay_in_the_picture(lab):
    view, root = lab(ffn=True, w_1=np.full((3, 2), 3.0), w_2=np.full((2, 2), 3.0), w_v=np.full((2, 2), 3.0))
    marks = view.locator(".abh-mark-point").all()
    frame = view.locator(".abh-plane").bounding_box()
    for mark in marks:
        box = mark.locator("circle, path").evaluate_all(
            """nodes => {
              const { x, y } = nodes.find((node) => node.style.display !== "none").getBoundingClientRect();
              return [x, y];
            }"""
        )
        assert frame["x"] - 10 < box[0] < frame["x"] + frame["width"]
        assert frame["y"] - 10 < box[1] < frame["y"] + frame["height"]
    assert "±217.6" in view.locator(".abh-plane-box p").text_content()
