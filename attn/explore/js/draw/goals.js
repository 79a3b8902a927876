// Goals: lamps that a state lights.
import { h, rich } from "./elements.js";

/** What to try: each goal has a lamp that the page lights, a ✓ and the word "done", and keeps until reset. */
export function goals(fig, list) {
  if (fig.model.get("rungs")) return { el: h("div", { hidden: true }) }; // a ladder has lamps of its own
  const items = list.map(({ text, test }, index) => {
    const lamp = h("span", { class: "abh-lamp", "data-lamp": "0" });
    const done = h("span", { class: "abh-done", role: "status" });
    const li = h(
      "li",
      { "data-goal": index + 1, "data-state": "open" },
      lamp,
      h("span", {}, ...rich(text)),
      " ",
      done,
    );
    return { lamp, done, test, li };
  });
  const show = ({ li, lamp, done }, reached) => {
    li.dataset.state = reached ? "right" : "open";
    lamp.dataset.lamp = Number(reached);
    lamp.textContent = reached ? "✓" : "";
    done.textContent = reached ? "done" : "";
  };
  const el = h(
    "div",
    { class: "abh-goals" },
    h("p", { class: "abh-label" }, "What to try"),
    h("ul", {}, ...items.map(({ li }) => li)),
  );
  fig.add((numbers, state) => {
    if (!fig.moved) return;
    for (const item of items) if (item.li.dataset.state === "open" && item.test(numbers, state)) show(item, true);
  });
  fig.onReset.push(() => {
    for (const item of items) show(item, false);
  });
  return { el };
}
