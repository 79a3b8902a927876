// A figure and its Python move together: what a reader moves goes to the worker, what Python sets moves the picture.
import { make } from "./harmless.js";
import { isObject } from "./stored.js";

const base = new URL("./", import.meta.url);
const html = document.documentElement;

/** Two values of a trait that say the same. */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The page's end of all figures' wires; `send` gives the worker a message. */
export const figuresOf = (send) => {
  const bound = new Map(); // a figure's id in Python → { model, loosen }

  const loosenAll = () => {
    for (const one of bound.values()) one.loosen();
    bound.clear();
  };

  /** Tie a live figure to the one that Python made: what the reader moves goes to Python, what Python sets moves it. */
  const tie = (id, model, names, runNumber) => {
    for (const [other, one] of bound)
      if (one.model === model) {
        one.loosen(); // a cell ran again: its figure is another one's in Python now
        bound.delete(other);
      }
    let applying = false;
    let waiting = null;
    const off = [];
    for (const name of names) {
      const changed = () => {
        if (applying) return;
        if (!waiting) {
          waiting = {};
          requestAnimationFrame(() => {
            send({ figure: id, set: waiting, run: runNumber });
            waiting = null;
          });
        }
        waiting[name] = model.get(name);
      };
      model.on(`change:${name}`, changed);
      off.push(() => model.off(`change:${name}`, changed));
    }
    bound.set(id, {
      model,
      run: runNumber,
      loosen: () => off.forEach((call) => call()),
      apply(values) {
        applying = true;
        try {
          for (const [name, value] of Object.entries(values)) model.set(name, value);
        } finally {
          applying = false;
        }
      },
    });
  };

  const move = (id, values) => bound.get(id)?.apply(values);

  /** Show a figure: in its place on the page if the cell is the book's own, or else below the cell. */
  const place = async (cell, body, { figure: id, view, state, names }, runNumber) => {
    if (!isObject(state) || !Array.isArray(names) || bound.has(id)) return;
    const taken = [...bound.values()].filter((one) => one.run === runNumber).map(({ model }) => model);
    const slot = [...(cell.frame?.querySelectorAll(".abh-slot") ?? [])].find(
      (one) => one.dataset.view === view && !taken.includes(one.abhModel) && !body.contains(one),
    );
    if (slot && cell.text === undefined) {
      html.abhMount.mount(slot); // if it was too far away to be alive
      const { abhModel: model } = slot;
      tie(id, model, names, runNumber);
      const moved = Object.fromEntries(
        names.filter((name) => !same(model.get(name), state[name])).map((name) => [name, model.get(name)]),
      );
      if (Object.keys(moved).length) send({ figure: id, set: moved, run: runNumber });
      cell.shows = "the figure here and Python move together";
      return;
    }
    const mounted = await mountNew(body, view, state);
    if (mounted) tie(id, mounted, names, runNumber);
  };

  /** A figure that a cell made anew: below the cell. */
  const mountNew = async (body, view, state) => {
    if (!html.abhMount?.views[view]) await import(new URL("views.js", base)).catch(() => {});
    const { views, mountFigure } = html.abhMount ?? {};
    if (!views?.[view]) {
      body.append("The page has no JavaScript for this figure.");
      return null;
    }
    const data = make("script", { type: "application/json", "data-abh": "" }, JSON.stringify(state));
    const slot = make(
      "div",
      { class: "abh-slot", "data-view": view, "data-mounted": "1" },
      make("div", { class: "abh-placeholder" }),
      data,
    );
    body.append(slot);
    mountFigure(slot, views[view], (call) => call());
    return slot.abhModel;
  };

  return { place, move, loosenAll };
};
