// What test_sight.py asks in a page: what a change of each control of a figure changes, and whether that is in sight.
window.sight = (() => {
  // No controls of the picture: they open, share, take back, ask, or choose what is edited.
  const OTHER =
    '[data-action="open"], [data-action="reset"], [data-action="share"], ' +
    '.abh-item, .abh-ask *, .abh-share *, .abh-lecture *, .abh-tab, [type="number"]';
  // What stands under the hand itself shows what was set, not what that changes.
  const UNDER_THE_HAND = ".abh-editable, .abh-painter, .abh-editor-bar, label";
  const MARKS =
    "[data-row], [data-scalar], canvas, .abh-mirror, .abh-gauge > i, .abh-token, .abh-says, " +
    "svg :is(circle, line, path, polygon, rect, text)";

  /** One of each group: of a grid that is painted a cell, of radio buttons one that is off. */
  const controls = (root) => {
    const groups = new Set();
    return [...root.querySelectorAll("input, select, button")].filter((node) => {
      if (!probe.shown(node) || node.disabled || node.matches(OTHER) || (node.type === "radio" && node.checked))
        return false;
      const painted = node.closest(".abh-painter") && "painter";
      const group = painted || (node.type === "radio" && node.name);
      return !group || (!groups.has(group) && groups.add(group));
    });
  };

  /** Each mark that is drawn, and how: its words and looks; on a canvas its numbers; in a picture its place, too. */
  const picture = (root) => {
    const home = root.querySelector(".abh-stage").getBoundingClientRect();
    const drawn = (node) => {
      if (node.matches("canvas")) return String(node.closest("[data-matrix]")?.values);
      if (node.matches(".abh-mirror"))
        return document.querySelector(node.querySelector("use").getAttribute("href")).innerHTML;
      if (node.matches("td")) return `${node.innerText} ${node.style.background} ${node.className}`;
      if (!node.matches("svg *, i, .abh-token")) return node.textContent;
      const { left, top, width, height } = node.getBoundingClientRect();
      const place = [left - home.left, top - home.top, width, height].map(Math.round);
      return `${place} ${node.getAttribute("d")} ${node.textContent}`;
    };
    const marks = [...root.querySelectorAll(MARKS)];
    const shown = marks.filter((node) => !node.closest(UNDER_THE_HAND) && probe.shown(node));
    return new Map(shown.map((node) => [node, drawn(node)]));
  };

  /** Whether the middle of a node is on the screen, and nothing that sticks or floats lies over it. */
  const inSight = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    for (let each = over; each && !each.contains(node); each = each.parentElement)
      if (["sticky", "fixed"].includes(getComputedStyle(each).position)) return false;
    return Boolean(over?.closest(".abh")?.contains(node));
  };

  /** Change a control as a hand does: a slider by three steps, or to its farther end. */
  const change = (node, far) => {
    if (node.type === "range") {
      const [min, max, now] = [Number(node.min), Number(node.max), node.valueAsNumber];
      const high = now - min > 0.9 * (max - min);
      node.value = far ? (2 * now > min + max ? min : max) : now + (high ? -3 : 3) * Number(node.step);
    } else if (node.type === "select-one") node.selectedIndex = (node.selectedIndex + 1) % node.options.length;
    else return node.click();
    return ["input", "change"].forEach((kind) => node.dispatchEvent(new Event(kind, { bubbles: true })));
  };

  /** Of a figure, opened or not: how many controls it has, how many change something, whose change is out of sight. */
  const look = async (root, opened) => {
    const start = () => {
      root.querySelector('[data-action="reset"]').click();
      if (opened) root.querySelector('[data-action="open"][aria-expanded="false"]')?.click();
      return controls(root);
    };
    const found = { controls: start().length, alive: 0, hidden: [] };
    for (let index = 0; index < found.controls; index += 1) {
      const node = start()[index];
      const hand = node.closest("label") ?? node;
      hand.scrollIntoView({ block: "center", behavior: "instant" });
      const before = picture(root);
      let changed = [];
      for (const far of node.type === "range" ? [false, true] : [false]) {
        change(node, far);
        await Promise.resolve(); // the figure draws in a microtask
        const now = picture(root);
        changed = [...now].filter(([mark, how]) => before.get(mark) !== how).map(([mark]) => mark);
        if (changed.length) break;
      }
      const seen = changed.some(inSight);
      // What only appears somewhere else is no change of what was drawn.
      if (!seen && !changed.some((mark) => before.has(mark))) continue;
      found.alive += 1;
      // A goal that is reached may take its control away.
      if (!seen || (probe.shown(node) && !inSight(hand)))
        found.hidden.push(node.name || node.dataset.action || node.ariaLabel || node.textContent);
    }
    return found;
  };
  return { look };
})();
