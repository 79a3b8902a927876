// Goals: lamps that a state lights.
import { h, rich } from "./elements.js";

/**
 * What to try: each goal has a lamp that the page lights, a ✓ and the word "done", and keeps until reset. A goal may
 * have a `prize`, [title, text]: a fold that is there from then on, in a line that was kept for it.
 */
export function goals(fig, list) {
  if (fig.model.get("rungs")) return h("div", { hidden: true }); // a ladder has lamps of its own
  const items = list.map(({ text, test, prize }, index) => {
    const lamp = h("span.abh-lamp", { "data-lamp": "0" });
    const done = h("span.abh-done", { role: "status" });
    const li = h("li", { "data-goal": index + 1, "data-state": "open" }, lamp, h("span", ...rich(text)), " ", done);
    const won =
      prize && h("details.abh-prize.abh-reserved", h("summary", ...rich(prize[0])), h("p", ...rich(prize[1])));
    if (won) li.append(won);
    return { lamp, done, test, li, won };
  });
  const show = ({ li, lamp, done, won }, reached) => {
    li.dataset.state = reached ? "right" : "open";
    lamp.dataset.lamp = Number(reached);
    lamp.textContent = reached ? "✓" : "";
    done.textContent = reached ? "done" : "";
    if (!won) return;
    won.classList.toggle("abh-reserved", !reached);
    won.open &&= reached;
  };
  const el = h("div.abh-goals", h("p.abh-label", "What to try"), h("ul", ...items.map(({ li }) => li)));
  fig.add((numbers, state) => {
    if (!fig.moved) return;
    for (const item of items) if (item.li.dataset.state === "open" && item.test(numbers, state)) show(item, true);
  });
  fig.onReset.push(() => {
    for (const item of items) show(item, false);
  });
  return el;
}
