// The frame of every explorable. A view calls figure(), adds parts, and hands over one pure function from state to
// numbers. What the reader's state is, and what its controls are called and how far they go, its Python class states.
import { h, put, rich, s, shared } from "./elements.js";
import { prediction, room } from "./question.js";
import { sharing } from "./share.js";
import { steady } from "./steady.js";

const SAVE_EVERY = 80; // ms between two messages to Python while a slider moves

/** When the closed part of a figure is built, piece by piece: at once. On a page loader.js sets a better moment. */
// oxlint-disable-next-line prefer-const
let atLeisure = (call) => call();

const palette = (root) => {
  const style = getComputedStyle(root);
  const color = (name) => style.getPropertyValue(`--abh-${name}`).trim();
  return {
    ink: color("ink"),
    raised: color("raised"),
    hatch: color("hatch"),
    low: color("low"),
    mid: color("mid"),
    high: color("high"),
  };
};

/** Whether no number in what a figure computed is NaN. */
const sound = (value) => {
  if (typeof value === "number") return !Number.isNaN(value);
  return !value || typeof value !== "object" || Object.values(value).every(sound);
};

/**
 * The frame of an explorable: question and answer, stage, "Open the weights", goals, reset.
 *
 * @param {object} options
 *   el, model      what anywidget hands to render()
 *   name           the contract's data-explorable
 *   question, answer   one sentence each, before and after the first drag; both stand above the stage, in one place
 *   invite         what a hand can do here: it stands where the answer will be. With the trait `predict` the answers
 *                  to choose from stand there (prediction(), below)
 *   tell           optional, (numbers, state) => sentence: the answer where it depends on what is drawn; no longer
 *                  than `answer`
 *   compute        pure: state in, numbers out
 *   possible       optional, state => boolean: what a link may bring where each trait keeps its rule, but not all
 *                  together
 */
export function figure({
  el,
  model,
  name: own,
  question,
  answer,
  invite = "Drag, and the answer appears here.",
  tell = null,
  compute,
  possible = () => true,
  ...more
}) {
  const name = model.get("called") || own; // a ladder has a name of its own
  const controls = model.get("controls");
  const keys = Object.keys(controls).filter((key) => !key.includes(".")); // the others are entries
  const refuse = (key, given) => {
    const [too] = Object.keys(given);
    if (too) throw new Error(`${name}: ${key}${too} is for its class to state, and not for its view`);
  };
  refuse("", more);
  const parts = [];
  const part = (className, tag = "div") => h(tag, { class: `abh-${className}` });
  const answerText = h("p", { role: "status", "data-hint": Boolean(model.get("predict")?.exercise) });
  const answerBox = h("div", { class: "abh-answer" }, answerText, answer ? room(rich(answer)) : null);
  const say = (...children) => answerText.replaceChildren(...children);
  const reset = h("button", { type: "button", class: "abh-button", "data-action": "reset" }, "Reset");
  const root = h("div", {
    class: "abh",
    "data-explorable": name,
    role: "group",
    "aria-label": `Explorable figure: ${name}`,
  });
  const bar = part("bar");
  let colors = null;
  const pieces = []; // of the closed part, that are not built yet
  let drawn = null; // the numbers and the state that the picture shows
  let waiting = new Set(); // canvases to be painted with the first frame, then null
  const fig = {
    root,
    model,
    name,
    id: (shared.figures += 1),
    stage: part("stage"),
    next: part("next"),
    more: part("more"),
    bar,
    /** The colors in force. Reading them makes the browser style the whole page. */
    get colors() {
      return (colors ??= palette(root));
    },
    /** Whether the page is being printed, in gray perhaps. */
    get onPaper() {
      return print.matches;
    },
    /** Paint a canvas: at once, or with the first frame, when the page has its style. */
    paint(call) {
      if (waiting) waiting.add(call);
      else call();
    },
  };
  const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
  const initial = structuredClone(read());
  // On a phone a laboratory waits closed, since its editors are some screens long: its button opens it.
  const phone = matchMedia("(max-width: 600px)");
  const fold = () => {
    initial.opened = !phone.matches;
    if (fig.chosen || fig.moved || model.get("opened") === initial.opened) return;
    model.set("opened", initial.opened);
  };
  if (initial.opened) {
    fold();
    phone.addEventListener("change", fold);
  }
  let said = "";
  let first = null; // what the figure had to say to the first drag
  let setting = false;
  let queued = false;
  let alive = true;
  let timer = 0;

  fig.state = read;
  /**
   * What the class states of a trait's control: label, options, min, max, step; an entry's own before its trait's.
   * `given` is what the view states beside: nothing, since what is said twice comes to be said in two ways.
   */
  fig.control = (key, path = [], given = {}) => {
    if (!(key in controls)) throw new Error(`${name}: its class has no state ${key}`);
    refuse(`${key}: `, given);
    return { ...controls[key], ...controls[[key, ...path].join(".")] };
  };
  fig.add = (update) => parts.push(update);
  /** Nodes of the closed part, from a function that makes them: when there is time, or when they are asked for. */
  fig.later = (make) => pieces.push(make);
  /** Build the next piece; the updates that it brings. */
  const build = () => {
    const from = parts.length;
    fig.more.append(...pieces.shift()());
    return parts.slice(from);
  };
  /** All of the figure stands and is drawn. */
  const ready = () => {
    if (alive && root.parentNode && !pieces.length) root.dataset.ready = "1";
  };
  fig.complete = () => {
    if (!pieces.length) return;
    while (pieces.length) build();
    fig.redraw();
  };
  root.addEventListener("abh-complete", fig.complete); // a ladder brings a control from there to its puzzle
  const hand = steady(root);
  fig.redraw = () => hand.around(draw);
  const draw = () => {
    const state = read();
    while (state.opened && pieces.length) build();
    const numbers = compute(state);
    drawn = [numbers, state];
    for (const update of parts) update(numbers, state);
    ready();
    const text = tell ? tell(numbers, state) : answer;
    if (!root.classList.contains("abh-touched")) return;
    first ??= text;
    if (text === said) return;
    said = text;
    const alike = (other) => text.replace(/\d+/g, "") === other.replace(/\d+/g, "");
    // The first drag answers the prediction; of an exercise the verdict stays.
    if (asks && (asks.exercise || alike(answer) || alike(first))) say(...asks.told());
    else say(...rich(text));
  };
  const save = () => {
    timer = 0;
    model.save_changes();
  };
  /** Change traits; draw at once; tell Python soon, and surely when `final`. */
  fig.set = (changes, { final = false } = {}) => {
    setting = true;
    for (const [key, value] of Object.entries(changes)) model.set(key, value);
    setting = false;
    fig.redraw();
    clearTimeout(timer);
    if (final) save();
    else timer = setTimeout(save, SAVE_EVERY);
  };
  /** Whether the reader moved anything since the start or the last reset. */
  fig.moved = false;
  /** Whether the reader opened or closed the figure by its button. */
  fig.chosen = false;
  /** The reader moved these traits: the answer may show. A prediction about others still waits for those. */
  fig.touch = (traits) => {
    fig.moved = true;
    if (root.classList.contains("abh-touched")) return;
    const answered = !asks || asks.about(traits);
    root.classList.toggle("abh-touched", answered);
    asks?.pass();
    if (answered) [said, first] = [null, null];
  };
  /** Presets and switches glide for 200 ms; a drag never does. */
  let gliding = 0;
  const glide = () => {
    root.classList.add("abh-glide");
    clearTimeout(gliding);
    gliding = setTimeout(() => root.classList.remove("abh-glide"), 260);
  };
  fig.jump = (changes) => {
    glide();
    fig.touch(Object.keys(changes));
    fig.set(changes, { final: true });
  };
  fig.onReset = [];
  reset.addEventListener("click", () => {
    root.classList.remove("abh-touched");
    fig.moved = false;
    asks?.forget();
    say();
    for (const forget of fig.onReset) forget();
    glide();
    fig.set(structuredClone(initial), { final: true });
  });

  const changed = () => {
    if (setting || queued) return;
    queued = true;
    queueMicrotask(() => {
      queued = false;
      if (alive) fig.redraw();
    });
  };
  for (const key of keys) model.on(`change:${key}`, changed);
  // Colors on a canvas follow the theme of the page.
  const repaint = () => {
    if (!colors) return;
    const now = palette(root);
    if (Object.keys(now).every((color) => now[color] === colors[color])) return;
    colors = now;
    fig.redraw();
  };
  const theme = new MutationObserver(repaint);
  for (const node of [document.documentElement, document.body]) {
    theme.observe(node, {
      attributes: true,
      attributeFilter: ["data-theme", "data-mode", "data-jp-theme-light", "class"],
    });
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", repaint);
  const print = matchMedia("print");
  print.addEventListener("change", draw);

  /** Take over a state if its numbers are numbers and it can be drawn; or else leave all as it is. */
  fig.take = (changes) => {
    const before = read();
    try {
      const after = { ...before, ...changes };
      if (!possible(after) || !sound(compute(after))) return false;
      fig.jump(changes);
      return true;
    } catch {
      fig.set(before, { final: true });
      return false;
    }
  };
  const share = Object.keys(model.get("rules") ?? {}).length
    ? sharing(fig, { el, initial, numbers: () => drawn[0] })
    : null;

  const asks = model.get("predict")?.question ? prediction(fig) : null;
  const asked = h("p", { class: "abh-question" }, ...rich(asks?.question ?? question));
  // A prediction stays above its answers; any other question gives its place to the answer.
  answerBox.prepend(
    ...(asks
      ? [asks.el, ...asks.room]
      : [h("div", { class: "abh-opening" }, asked, h("p", { class: "abh-invite" }, ...rich(invite)))]),
  );

  fig.mount = () => {
    const stage = fig.stage.hasChildNodes() ? [fig.stage, fig.next] : [];
    bar.append(...(stage.length ? [] : [asks.skip]), reset, ...(share ? [share.button] : []));
    root.append(...(asks ? [asked] : []), answerBox, ...stage, bar, fig.more);
    el.append(root);
    fig.redraw();
    asks?.start();
    share?.start();
    for (let left = pieces.length; left > 0; left -= 1) {
      atLeisure(() => {
        if (!alive || !pieces.length) return;
        for (const update of build()) update(...drawn);
        ready();
      });
    }
    requestAnimationFrame(() => {
      const calls = alive ? waiting : [];
      waiting = null;
      for (const call of calls) call();
    });
    return () => {
      alive = false;
      asks?.leave();
      share?.leave();
      hand.leave();
      clearTimeout(timer);
      theme.disconnect();
      dark.removeEventListener("change", repaint);
      print.removeEventListener("change", draw);
      phone.removeEventListener("change", fold);
      for (const key of keys) model.off(`change:${key}`, changed);
      root.remove();
    };
  };
  return fig;
}

/** The switch that opens the rest of a figure; its state is the trait `opened`. */
export function opener(fig, label = "Open the weights") {
  const button = h("button", { type: "button", class: "abh-button", "data-action": "open" }, label);
  button.addEventListener("click", () => {
    fig.root.closest(".abh-hold")?.style.setProperty("min-height", "0"); // the room that was kept until it lived
    fig.chosen = true;
    fig.set({ opened: !fig.state().opened }, { final: true });
  });
  fig.bar.prepend(button);
  fig.add((_, state) => {
    put(button, "aria-expanded", Boolean(state.opened));
    fig.more.hidden = !state.opened;
    fig.root.classList.toggle("abh-opened", Boolean(state.opened));
  });
}

/** A small live copy of a plane, to stand beside an editor that is far from it. */
export function mirror(fig, { el }) {
  const picture = el.querySelector("svg");
  picture.id = `abh-picture-${fig.id}`;
  return h(
    "div",
    { class: "abh-peek", "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: "0 0 300 300", class: "abh-mirror", "data-mirror": "1" },
      s("use", { href: `#${picture.id}`, width: 300, height: 300 }),
    ),
  );
}
