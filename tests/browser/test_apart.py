"""Controls keep apart: a finger that means one doesn't meet the next, and a style that was lost shows."""

import pytest

from tests.browser.explorables import DRAWN

LEAST = 4  # px

# Pairs of controls in sight that are nearer to each other than that. The words below a figure (reset, share) have no
# edge: their own padding keeps them apart.
NEAR = """(root, least) => {
  const kinds = "button, select, input, .abh-slider, .abh-toggle, .abh-choice, .abh-radios";
  const besides = "[data-painter], .abh-matrix, svg, .abh-quiet-button, [data-action=reset]";
  const all = [...root.querySelectorAll(kinds)].filter((node) =>
    !node.parentElement.closest(kinds) && !node.closest(besides) && probe.shown(node));
  const boxes = all.map((node) => node.getBoundingClientRect());
  const named = (node) => `${node.className || node.tagName} ${node.dataset.action || node.textContent || node.name}`;
  return all.flatMap((node, i) => all.slice(i + 1).flatMap((other, j) => {
    const [a, b] = [boxes[i], boxes[i + 1 + j]];
    const away = Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
    return away < least ? [`${named(node)} | ${named(other)} | ${away.toFixed(1)} px`] : [];
  }));
}"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", DRAWN)
def test_controls_keep_apart(opened, name, width):
    assert opened(name, width=width, height=900).evaluate(NEAR, LEAST) == []
