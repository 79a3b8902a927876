// What test_sight.py asks in a page: which controls a figure shows, what a change of one changed, and whether it is in
// sight.
window.sight = (() => {
  // No controls of the picture: they open, share, take back, ask, compute for seconds, or choose what is edited.
  const OTHER =
    '[data-action="open"], [data-action="reset"], [data-action="share"], [data-action="search"], ' +
    '[data-action="search-load"], .abh-item, .abh-ask *, .abh-share *, .abh-lecture *, .abh-tab, [type="number"]';
  // What stands under the hand itself shows what was set, not what that changes.
  const UNDER_THE_HAND = ".abh-editable, .abh-painter, .abh-editor-bar, label";
  const MARKS =
    "[data-row], [data-scalar], canvas, .abh-mirror, .abh-gauge > i, .abh-token, .abh-says, " +
    "svg :is(circle, line, path, polygon, rect, text)";

  const controls = (root) => {
    const groups = new Set();
    return [...root.querySelectorAll("input, select, button")].filter((node) => {
      if (!probe.shown(node) || node.disabled || node.matches(OTHER)) return false;
      if (node.type === "radio" && node.checked) return false;
      const group = node.closest("table.abh-painted, .abh-painter")
        ? "painter"
        : node.type === "radio"
          ? node.name
          : null;
      if (group && groups.has(group)) return false;
      groups.add(group);
      return true;
    });
  };

  const signature = (node, home) => {
    if (node.matches("canvas"))
      return (node.closest("[data-matrix]")?.values ?? [])
        .reduce((sum, value, i) => sum + (i + 1) * value, 0)
        .toFixed(3);
    if (node.matches(".abh-mirror"))
      return document.querySelector(node.querySelector("use").getAttribute("href")).innerHTML;
    const box = node.getBoundingClientRect();
    const place = [box.left - home.left, box.top - home.top, box.width, box.height]
      .map((part) => Math.round(part))
      .join();
    return node.matches("td") // in a map its color tells the number
      ? `${node.innerText} ${node.style.background} ${node.className}`
      : node.matches("svg *, i, .abh-token")
        ? `${place} ${node.getAttribute("d") ?? ""} ${node.textContent}`
        : node.textContent;
  };
  const picture = (root) => {
    const home = root.querySelector(".abh-stage").getBoundingClientRect();
    const marks = [...root.querySelectorAll(MARKS)].filter(
      (node) => !node.closest(UNDER_THE_HAND) && probe.shown(node),
    );
    return new Map(marks.map((node) => [node, signature(node, home)]));
  };

  /** Whether the middle of a node is on the screen, and nothing that sticks or floats lies over it. */
  const inSight = (node) => {
    const box = node.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const over = document.elementFromPoint(x, y);
    for (let each = over; each && !each.contains(node); each = each.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(each).position)) return false;
    }
    return Boolean(over?.closest(".abh")?.contains(node));
  };

  let before = null;
  let node = null;
  let state = "";
  const still = new Map(); // what is not drawn now, and its style before
  return {
    /** Draw no more what stands before and after a figure, in its place: a long page takes its time at each change. */
    alone(root) {
      for (const [part, style] of still) part.setAttribute("style", style);
      still.clear();
      const others = [];
      for (let each = root; !each.matches("article, main, body"); each = each.parentElement) {
        others.push(...[...each.parentElement.children].filter((part) => part !== each && probe.shown(part)));
      }
      const sizes = others.map((part) => `${part.offsetWidth}px ${part.offsetHeight}px`);
      for (const [i, part] of others.entries()) {
        still.set(part, part.getAttribute("style") ?? "");
        Object.assign(part.style, { contentVisibility: "hidden", containIntrinsicSize: sizes[i] });
      }
    },
    count: (root) => controls(root).length,
    /** Put a figure back to its first state, and open all of it if that is asked. */
    start(root, opened) {
      root.querySelector('[data-action="reset"]').click();
      if (opened) root.querySelector('[data-action="open"][aria-expanded="false"]')?.click();
    },
    /** Bring the control of that number to the middle of the screen, put the focus on it; say what it is and where. */
    take(root, index) {
      node = controls(root)[index];
      (node.closest("label") ?? node).scrollIntoView({ block: "center", behavior: "instant" });
      node.focus({ preventScroll: true });
      before = picture(root);
      state = JSON.stringify(probe.state(root));
      const box = (node.closest("label") ?? node).getBoundingClientRect();
      const share = node.type === "range" ? (node.valueAsNumber - node.min) / (node.max - node.min) : 0;
      return {
        what: node.name || node.dataset.action || node.getAttribute("aria-label") || node.textContent,
        kind: node.type,
        share,
        last: node.type === "select-one" && node.selectedIndex === node.options.length - 1,
        x: box.left + box.width / 2,
        y: box.top + box.height / 2,
      };
    },
    /** How many marks the change of that control changed, whether one of them is in sight, and whether it still is. */
    look(root) {
      const now = picture(root);
      // A story that leads to where the figure stands changes nothing.
      if (
        node.type === "button" &&
        JSON.stringify(probe.state(root)) === state &&
        !node.dataset.action?.startsWith("map-")
      )
        return { changed: 0, seen: false, itself: true };
      const changed = [...now].filter(([mark, value]) => before.get(mark) !== value).map(([mark]) => mark);
      // A table that only appears somewhere is no change of what was drawn.
      const seen = changed.some(inSight); // the first is enough: to find what lies at a point takes its time
      if (!seen && !changed.some((mark) => before.has(mark))) return { changed: 0, seen, itself: true };
      const at = probe.shown(node) ? (node.closest("label") ?? node) : null; // a goal reached may take a control away
      return { changed: changed.length, seen, itself: !at || inSight(at) };
    },
  };
})();
