// A list that a hand puts in another order: words of a sentence, lines of code.
import { clamp } from "../core.js";
import { h, put, write } from "./elements.js";
import { pointerDrag, SLACK } from "./pointer_drag.js";
import { still } from "./motion.js";

const ASIDE = 150; // ms in which the others make room

/** A list with the item at one place moved to another. */
export const moved = (order, from, to) => {
  const next = order.filter((_, other) => other !== from);
  next.splice(to, 0, order[from]);
  return next;
};

const standsAt = (item, order) => `${order.indexOf(item) + 1} of ${order.length}`;

/**
 * A list in an order that the reader makes. The trait `key` is a permutation: which item stands at each place.
 *
 * Mouse, pen or finger drag an item, and the others make room; a tap picks one up, and a tap on another puts it there.
 * A finger that goes up or down at once scrolls the page: it rests a moment, or goes sideways, to take an item along.
 * On the keyboard each item is a tab stop, and the arrows move it; Enter picks it up, too.
 *
 * items   their contents: texts, or nodes
 * names   what they are called where only words count; the texts themselves if not given
 * column  whether they stand below each other, as lines do
 * where   (item, order) => where it stands, in words; "2 of 3" if not given
 *
 * Returns the list and its items' elements, in the order of `items`.
 */
export function reorder(fig, { key, items, names = items, column = false, where = standsAt }) {
  const { label } = fig.control(key);
  const said = h("span.abh-unseen", { role: "status" });
  const nodes = items.map((content) => h("button.abh-item", { type: "button" }, content));
  const el = h("span", {
    class: `abh-reorder${column ? " abh-column" : ""}`,
    role: "group",
    "aria-label": `${label}: drag its parts, or move them with the arrow keys`,
    "data-reorder": key,
  });
  const now = () => fig.state()[key];
  const placeOf = (item) => now().indexOf(item);
  /** Put the items in an order. One in the hand stays in the page, and the others move around it: the hand keeps it. */
  const arrange = (order, held) => {
    if (held < 0) return el.replaceChildren(...order.map((item) => nodes[item]));
    const own = order.indexOf(held);
    nodes[held].before(...order.slice(0, own).map((item) => nodes[item]));
    return nodes[held].after(...order.slice(own + 1).map((item) => nodes[item]));
  };
  let picked = -1; // the item that a tap picked up
  const pick = (item) => {
    picked = item;
    nodes.forEach((node, other) => put(node, "aria-pressed", other === item));
  };
  const place = (item, to, final) => {
    const order = now();
    const goal = clamp(to, 0, order.length - 1);
    if (goal === order.indexOf(item)) return;
    fig.markInteracted([key]);
    fig.set({ [key]: moved(order, order.indexOf(item), goal) }, { final });
    write(said, `${names[item]} is now ${where(item, now())}`);
  };
  const tap = (item) => {
    if (picked < 0) return pick(item);
    if (picked !== item) place(picked, placeOf(item), true);
    return pick(-1);
  };

  nodes.forEach((node, item) => {
    let from = null;
    const middle = () => [node.offsetLeft + node.offsetWidth / 2, node.offsetTop + node.offsetHeight / 2];
    /** Where the item's middle is at each place, tried out: so no place depends on where it is now. */
    const targets = () => {
      const order = now();
      const found = order.map((_, to) => {
        arrange(moved(order, order.indexOf(item), to), item);
        return middle();
      });
      arrange(order, item);
      return found;
    };
    /** Where in the list's own px an event is. */
    const at = (event) => {
      const box = el.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const drop = () => {
      node.style.transform = "";
    };
    pointerDrag(node, {
      longPress: true,
      start(event) {
        const [hand, own] = [at(event), middle()];
        from = { order: now(), x: own[0] - hand[0], y: own[1] - hand[1], hand, places: null };
        node.focus({ preventScroll: true, focusVisible: false });
      },
      move(event) {
        const hand = at(event);
        if (!from.places && Math.hypot(hand[0] - from.hand[0], hand[1] - from.hand[1]) <= SLACK) return;
        from.places ??= targets();
        const [x, y] = [hand[0] + from.x, hand[1] + from.y];
        const far = from.places.map(([left, top]) => Math.hypot(left - x, top - y));
        place(item, far.indexOf(Math.min(...far)), false);
        const own = middle();
        node.style.transform = `translate(${(x - own[0]).toFixed(1)}px, ${(y - own[1]).toFixed(1)}px)`;
      },
      end() {
        drop();
        if (!from.places) return tap(item);
        pick(-1);
        return fig.set({}, { final: true });
      },
      cancel() {
        drop();
        fig.set({ [key]: from.order }, { final: true });
      },
    });
    node.addEventListener("click", (event) => event.detail === 0 && tap(item)); // from a key or a screen reader
    node.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      const to = { Home: 0, End: nodes.length - 1 }[event.key] ?? (step ? placeOf(item) + step : null);
      if (event.key === "Escape") pick(-1);
      if (to === null) return;
      event.preventDefault();
      place(item, to, true);
    });
  });

  let drawn = null;
  fig.add((_, state) => {
    const order = state[key];
    if (String(order) === String(drawn)) return;
    const before = drawn && !still() ? nodes.map(({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop]) : null;
    drawn = order.slice();
    const focused = nodes.indexOf(document.activeElement);
    const held = nodes.findIndex((node) => node.classList.contains("abh-held"));
    arrange(order, held);
    // A move in the page takes the focus away.
    if (focused >= 0) nodes[focused].focus({ preventScroll: true });
    for (const item of order) put(nodes[item], "aria-label", `${names[item]}, ${where(item, order)}`);
    if (!before) return;
    const glides = fig.root.classList.contains("abh-glide");
    nodes.forEach((node, item) => {
      const [dx, dy] = [before[item][0] - node.offsetLeft, before[item][1] - node.offsetTop];
      if (item === held || (!dx && !dy)) return;
      node.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
        duration: glides ? 700 : ASIDE,
        easing: "ease-in-out",
      });
    });
  });
  fig.onReset.push(() => {
    pick(-1);
    write(said, "");
  });
  pick(-1);
  return { el, nodes, said };
}
