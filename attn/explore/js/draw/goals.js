// Goals: what to try, each with a circle that a state fills.
import { h, put, rich, write } from "./elements.js";

/** A circle for what is to be reached. */
export const goalStatus = (props = {}) => h("span.abh-status", { "data-lamp": "0", ...props });

/** Fill it with a ✓, or empty it. */
export const showStatus = (status, done) => {
  put(status, "data-lamp", Number(done));
  write(status, done ? "✓" : "");
};

/** What to try: each goal has a circle that the page fills with a ✓, and the word "done", and keeps so until reset. */
export function goals(fig, list) {
  if (fig.model.get("rungs")) return h("div", { hidden: true }); // a ladder has goals of its own
  const items = list.map(({ text, test }, index) => {
    const [status, done] = [goalStatus(), h("span.abh-done", { role: "status" })];
    const data = { "data-goal": index + 1, "data-state": "open" };
    return { status, done, test, li: h("li", data, status, h("span", ...rich(text)), " ", done) };
  });
  const show = ({ li, status, done }, reached) => {
    put(li, "data-state", reached ? "right" : "open");
    showStatus(status, reached);
    write(done, reached ? "done" : "");
  };
  for (const item of items) show(item, false);
  fig.add((numbers, state) => {
    if (!fig.moved) return;
    for (const item of items) if (item.li.dataset.state === "open" && item.test(numbers, state)) show(item, true);
  });
  fig.onReset.push(() => {
    for (const item of items) show(item, false);
  });
  return h("div.abh-goals", h("p.abh-label", "What to try"), h("ul", ...items.map(({ li }) => li)));
}
