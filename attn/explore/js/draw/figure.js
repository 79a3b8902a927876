// The frame of every explorable. A view calls figure(), adds parts, and hands over one pure function from state to
// numbers. What the reader's state is, and what its controls are called and how far they go, its Python class states.
import { button } from "./controls.js";
import { h, put, rich, s, shared } from "./elements.js";
import { prediction, reserved } from "./question.js";
import { anchorScroll } from "./scroll_anchor.js";
import { sharing } from "./share.js";

const SAVE_EVERY = 80; // ms between two messages to Python while a slider moves
const GLIDE = 260; // ms for which a change by a button or a switch glides

const COLORS = ["ink", "raised", "hatch", "low", "mid", "high"];
const palette = (root) => {
  const style = getComputedStyle(root);
  return Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--abh-${name}`).trim()]));
};

/** What canvases need of the page: its colors in force, whether it is being printed, and when they may be painted. */
function canvases(fig) {
  let colors = null;
  let waiting = new Set(); // to be painted with the first frame, then null
  const repaint = () => {
    if (!colors) return;
    const now = palette(fig.root);
    if (COLORS.every((name) => now[name] === colors[name])) return;
    colors = now;
    fig.redraw();
  };
  const theme = new MutationObserver(repaint);
  const attributeFilter = ["data-theme", "data-mode", "data-jp-theme-light", "class"];
  for (const node of [document.documentElement, document.body]) theme.observe(node, { attributeFilter });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const print = matchMedia("print");
  dark.addEventListener("change", repaint);
  print.addEventListener("change", fig.redraw);
  fig.onLeave.push(() => {
    waiting = null;
    theme.disconnect();
    dark.removeEventListener("change", repaint);
    print.removeEventListener("change", fig.redraw);
  });
  return {
    /** Reading them makes the browser style the whole page. */
    colors: () => (colors ??= palette(fig.root)),
    /** In gray perhaps. */
    onPaper: () => print.matches,
    /** At once, or with the first frame, when the page has its style. */
    paint(call) {
      if (waiting) waiting.add(call);
      else call();
    },
    paintWaiting() {
      requestAnimationFrame(() => {
        const calls = waiting ?? [];
        waiting = null;
        for (const call of calls) call();
      });
    },
  };
}

/** Above the stage: a question, perhaps with answers to choose from; below it, after the first drag, the answer. */
function answers(fig, { question, answer, invite, tell }) {
  const { root, model } = fig;
  const asks = model.get("predict")?.question ? prediction(fig) : null;
  const asked = h("p.abh-question", ...rich(asks?.question ?? question));
  const text = h("p", { role: "status", "data-hint": Boolean(asks?.exercise) });
  const opening = asks ? [asks.el, ...asks.reserved] : [h("p.abh-opening.abh-invite", ...rich(invite))];
  const box = h("div.abh-answer", ...opening, text, answer ? reserved(rich(answer)) : null);
  let said = null;
  let first = null; // what the figure had to say to the first drag
  return {
    asks,
    nodes: [asked, box],
    tell(numbers, state) {
      if (!root.classList.contains("abh-touched")) return;
      const now = tell ? tell(numbers, state) : answer;
      first ??= now;
      if (now === said) return;
      said = now;
      const alike = (other) => now.replace(/\d+/g, "") === other.replace(/\d+/g, "");
      // The first drag answers the prediction; of an exercise the verdict stays.
      const told = asks && (asks.exercise || alike(answer) || alike(first)) ? asks.told() : rich(now);
      text.replaceChildren(...told);
    },
    /** The reader moved these traits: the answer may show. A prediction about others still waits for those. */
    open(traits) {
      if (root.classList.contains("abh-touched")) return;
      const answered = !asks || asks.about(traits);
      root.classList.toggle("abh-touched", answered);
      asks?.pass();
      if (answered) [said, first] = [null, null];
    },
    close() {
      root.classList.remove("abh-touched");
      asks?.forget();
      text.replaceChildren();
    },
  };
}

/** The part behind "Open the weights": built in pieces, when there is time or when somebody asks for it. */
function closedPart(fig, updates) {
  const pieces = [];
  /** Build the next piece; the updates that it brings. */
  const build = () => {
    const from = updates.length;
    fig.more.append(...pieces.shift()());
    return updates.slice(from);
  };
  return {
    /** Nodes of the closed part, from a function that makes them. */
    later: (make) => pieces.push(make),
    get left() {
      return pieces.length;
    },
    build,
    buildAll() {
      while (pieces.length) build();
    },
    /** A button that opens it; what is open is the trait `opened`. */
    opener() {
      const toggle = button("Open the weights", "open", () => {
        fig.root.closest(".abh-placeholder")?.style.setProperty("min-height", "0"); // what was reserved until it lived
        fig.chosen = true;
        fig.set({ opened: !fig.state().opened }, { final: true });
      });
      fig.bar.prepend(toggle);
      fig.add((_, state) => {
        put(toggle, "aria-expanded", Boolean(state.opened));
        fig.more.hidden = !state.opened;
        fig.root.classList.toggle("abh-opened", Boolean(state.opened));
      });
    },
  };
}

/** Call once for changes of some traits that come together; returns what ends it. */
export function onChanges(model, keys, call, ignored = () => false) {
  let [queued, ended] = [false, false];
  const changed = () => {
    if (queued || ignored()) return;
    queued = true;
    queueMicrotask(() => {
      queued = false;
      if (!ended) call();
    });
  };
  for (const key of keys) model.on(`change:${key}`, changed);
  return () => {
    ended = true;
    for (const key of keys) model.off(`change:${key}`, changed);
  };
}

/** On a phone a laboratory waits closed, since its editors are some screens long: its button opens it. */
function foldOnPhone(fig, initial) {
  if (!initial.opened) return;
  const phone = matchMedia("(max-width: 600px)");
  const fold = () => {
    initial.opened = !phone.matches;
    if (fig.chosen || fig.moved || fig.model.get("opened") === initial.opened) return;
    fig.model.set("opened", initial.opened);
  };
  fold();
  phone.addEventListener("change", fold);
  fig.onLeave.push(() => phone.removeEventListener("change", fold));
}

/** Whether no number in what a figure computed is NaN. */
const sound = (value) => {
  if (typeof value === "number") return !Number.isNaN(value);
  return !value || typeof value !== "object" || Object.values(value).every(sound);
};

/** How a state changes: by a drag, by a button, by a link, by Python; and how it goes back. */
function changing(fig, { keys, initial, compute, possible, told }) {
  const { root, model } = fig;
  let [setting, timer, gliding] = [false, 0, 0];
  const save = () => model.save_changes();
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
  /** The reader moved these traits. */
  fig.markInteracted = (traits) => {
    fig.moved = true;
    told.open(traits);
  };
  const glide = () => {
    root.classList.add("abh-glide");
    clearTimeout(gliding);
    gliding = setTimeout(() => root.classList.remove("abh-glide"), GLIDE);
  };
  /** A button or a switch sets traits: that glides, a drag never does. */
  fig.setState = (changes) => {
    glide();
    fig.markInteracted(Object.keys(changes));
    fig.set(changes, { final: true });
  };
  /** Take over a state if its numbers are numbers and it can be drawn; or else leave all as it is. */
  fig.applyState = (changes) => {
    const before = fig.state();
    try {
      const after = { ...before, ...changes };
      if (!possible(after) || !sound(compute(after))) return false;
      fig.setState(changes);
      return true;
    } catch {
      fig.set(before, { final: true });
      return false;
    }
  };
  fig.reset = () => {
    fig.moved = false;
    told.close();
    for (const forget of fig.onReset) forget();
    glide();
    fig.set(structuredClone(initial), { final: true });
  };
  fig.onLeave.push(
    () => clearTimeout(timer),
    onChanges(model, keys, fig.redraw, () => setting),
  );
}

/**
 * The frame of an explorable: question and answer, stage, "Open the weights", goals, reset.
 *
 * @param {object} options
 *   el, model      what anywidget hands to render()
 *   question, answer   one sentence each, above the stage; the answer shows after the first drag
 *   invite         what a hand can do here: it stands where the answer will be. With the trait `predict` the answers
 *                  to choose from stand there (prediction(), below)
 *   tell           optional, (numbers, state) => sentence: the answer where it depends on what is drawn; no longer
 *                  than `answer`
 *   compute        pure: state in, numbers out
 *   possible       optional, state => boolean: what a link may bring where each trait keeps its rule, but not all
 *                  together
 */
export function figure({ el, model, question, answer, compute, ...options }) {
  const { invite = "Drag, and the answer appears here.", tell = null, possible = () => true } = options;
  const name = model.get("called");
  const controls = model.get("controls");
  const keys = Object.keys(controls).filter((key) => !key.includes(".")); // the others are entries
  const state = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
  const initial = structuredClone(state());
  const updates = [];
  const fig = {
    root: h("div.abh", { "data-explorable": name, role: "group", "aria-label": `Explorable figure: ${name}` }),
    model,
    name,
    id: (shared.figures += 1),
    stage: h("div.abh-stage"),
    next: h("div.abh-next"),
    more: h("div.abh-more"),
    bar: h("div.abh-bar"),
    state,
    onReset: [],
    onLeave: [],
    /** Whether the reader moved anything since the start or the last reset. */
    moved: false,
    /** Whether the reader opened or closed the figure by its button. */
    chosen: false,
    add: (update) => updates.push(update),
    /** What the class states of a trait's control: label, options, ends and step; an entry's own before its trait's. */
    control(key, path = []) {
      if (!(key in controls)) throw new Error(`${name}: its class has no state ${key}`);
      return { ...controls[key], ...controls[[key, ...path].join(".")] };
    },
  };
  const { root } = fig;
  const closed = closedPart(fig, updates);
  const told = answers(fig, { question, answer, invite, tell });
  let drawn = null; // the numbers and the state that the picture shows
  const draw = () => {
    const now = state();
    if (now.opened) closed.buildAll();
    drawn = [compute(now), now];
    for (const update of updates) update(...drawn);
    ready();
    told.tell(...drawn);
  };
  /** All of the figure stands and is drawn. */
  const ready = () => {
    if (root.parentNode && !closed.left) root.dataset.ready = "1";
  };
  const anchor = anchorScroll(root);
  fig.redraw = () => anchor.around(draw);
  fig.onLeave.push(anchor.leave);
  Object.assign(fig, canvases(fig));
  fig.later = closed.later;
  fig.complete = () => {
    if (!closed.left) return;
    closed.buildAll();
    fig.redraw();
  };
  root.addEventListener("abh-complete", fig.complete); // a ladder brings a control from there to its puzzle
  foldOnPhone(fig, initial);

  changing(fig, { keys, initial, compute, possible, told });
  const rules = Object.keys(model.get("rules") ?? {});
  const share = rules.length ? sharing(fig, { el, initial, numbers: () => drawn[0] }) : null;

  fig.mount = () => {
    const { asks, nodes } = told;
    const stage = fig.stage.hasChildNodes() ? [fig.stage, fig.next] : [];
    if (closed.left) closed.opener();
    fig.bar.append(
      ...(stage.length ? [] : [asks.skip]),
      button("Reset", "reset", () => anchor.around(fig.reset)), // what it takes away may stand above it
      ...(share ? [share.button] : []),
    );
    root.append(...nodes, ...stage, fig.bar, fig.more);
    el.append(root);
    fig.redraw();
    asks?.start();
    share?.start();
    const onIdle = model.onIdle ?? ((call) => call()); // a page has a better moment (loader.js)
    for (let { left } = closed; left > 0; left -= 1) {
      onIdle(() => {
        if (!root.parentNode || !closed.left) return;
        for (const update of closed.build()) update(...drawn);
        ready();
      });
    }
    fig.paintWaiting();
    return () => {
      for (const leave of fig.onLeave) leave();
      root.remove();
    };
  };
  return fig;
}

/** A small live copy of a plane, to stand beside an editor that is far from it. */
export function minimap(fig, { el }) {
  const picture = el.querySelector("svg");
  picture.id = `abh-picture-${fig.id}`;
  return h(
    "div.abh-minimap",
    { "aria-hidden": "true" },
    s(
      "svg.abh-mirror",
      { viewBox: "0 0 300 300", "data-mirror": "1" },
      s("use", { href: `#${picture.id}`, width: 300, height: 300 }),
    ),
  );
}
