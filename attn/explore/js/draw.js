// The parts that every explorable is made of, drawn the same in every chapter: state → numbers → picture.
// A view calls figure(), adds parts, and hands over one pure function from state to numbers.
import { clamp, clipPolygon, convexHull, crosses, linkFrom, pythonFrom, snap, stateFrom } from "./core.js";
import { number, weightText } from "./number.js";

// ---------------------------------------------------------------- elements

const SVG = "http://www.w3.org/2000/svg";

const fill = (node, props, children) => {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};

/** An HTML element. Text goes in as text, never as HTML. */
export const h = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element. */
export const s = (tag, props = {}, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Set an attribute only where it changed: the cheapest update is none. */
const put = (node, name, value) => {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
};

/** Set a text only where it changed. */
export const write = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

/** `code` and *emphasis* in a plain string become elements, and so do ● and ○, which wear the color of their dots; all else stays text. */
export const rich = (text) =>
  text.split(/(`[^`]+`|\*[^*]+\*|[●○])/).map((piece) => {
    if (piece === "●" || piece === "○") return h("span", { class: "abh-glyph" }, piece);
    if (/^`.+`$/.test(piece)) return h("code", {}, piece.slice(1, -1));
    if (/^\*.+\*$/.test(piece)) return h("em", {}, piece.slice(1, -1));
    return piece;
  });

// ---------------------------------------------------------------- state

const at = (value, path) => path.reduce((inner, index) => inner[index], value);

const withAt = (value, path, leaf) => {
  if (!path.length) return leaf;
  const copy = value.slice();
  copy[path[0]] = withAt(value[path[0]], path.slice(1), leaf);
  return copy;
};

/**
 * An unseen copy keeps the room of what will stand there: nothing moves when it appears. Each word stands in it
 * backward, which is as wide, so that neither "find in page" nor a look into the page gives an answer away.
 */
const room = (children) => {
  const el = h("p", { class: "abh-room", "aria-hidden": "true" }, ...children);
  const turn = (node) => {
    if (node.nodeType === 3) node.data = node.data.replace(/\S+/g, (word) => [...word].reverse().join(""));
    else node.childNodes.forEach(turn);
  };
  turn(el);
  for (const link of el.querySelectorAll("a")) link.removeAttribute("href");
  return el;
};

const SAVE_EVERY = 80; // ms between two messages to Python while a slider moves

let figures = 0; // gives each figure its own radio groups: names are shared, groups must not be

/** When the closed part of a figure is built, piece by piece: at once. A page of the book has better moments (loader.js). */
let atLeisure = (call) => call();

/**
 * The frame of an explorable: question and answer, stage, "Open the weights", goals, reset.
 *
 * @param {object} options
 *   el, model      what anywidget hands to render()
 *   name           the contract's data-explorable
 *   keys           the traits that are the reader's state
 *   question, answer   one sentence each, before and after the first drag; both stand above the stage, in one place
 *   invite         what a hand can do here: it stands where the answer will be. With the trait `predict` the answers
 *                  to choose from stand there (prediction(), below)
 *   tell           optional, (numbers, state) => sentence: the answer where it depends on what is drawn; no longer than `answer`
 *   compute        pure: state in, numbers out
 *   possible       optional, state => boolean: what a link may bring where each trait keeps its rule, but not all together
 */
export function figure({ el, model, name, keys, question, answer, invite = "Drag, and the answer appears here.", tell = null, compute, possible = () => true }) {
  const parts = [];
  const part = (className, tag = "div") => h(tag, { class: `abh-${className}` });
  const answerText = h("p", { role: "status" });
  const answerBox = h("div", { class: "abh-answer" }, answerText, answer ? room(rich(answer)) : null);
  const say = (...children) => answerText.replaceChildren(...children);
  const reset = h("button", { type: "button", class: "abh-button", "data-action": "reset" }, "Reset");
  const root = h("div", { class: "abh", "data-explorable": name, role: "group", "aria-label": `Explorable figure: ${name}` });
  const bar = part("bar");
  let colors = null;
  const pieces = []; // of the closed part, that are not built yet
  let drawn = null; // the numbers and the state that the picture shows
  let waiting = new Set(); // canvases to be painted with the first frame, then null
  const fig = {
    root, model, name, id: (figures += 1), stage: part("stage"), next: part("next"), more: part("more"), bar,
    /** The colors in force. Reading them makes the browser style the whole page. */
    get colors() {
      return (colors ??= palette(root));
    },
    /** Paint a canvas: at once, or with the first frame, when the page has its style. */
    paint(call) {
      if (waiting) waiting.add(call);
      else call();
    },
  };
  const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
  const initial = structuredClone(read());
  let said = "";
  let first = null; // what the figure had to say to the first drag
  let voice = false; // a button of the figure has said something of its own
  let setting = false;
  let queued = false;
  let alive = true;
  let timer = 0;

  fig.state = read;
  fig.add = (update) => parts.push(update);
  /** Nodes of the closed part, from a function that makes them when there is time for it, or when they are asked for. */
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
  fig.redraw = () => {
    const state = read();
    while (state.opened && pieces.length) build();
    const numbers = compute(state);
    drawn = [numbers, state];
    for (const update of parts) update(numbers, state);
    ready();
    const text = tell ? tell(numbers, state) : answer;
    if (voice || !root.classList.contains("abh-touched")) return;
    first ??= text;
    if (text === said) return;
    said = text;
    const alike = (other) => text.replace(/\d+/g, "") === other.replace(/\d+/g, "");
    if (asks && (alike(answer) || alike(first))) say(...asks.told()); // the first drag answers the prediction
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
  /** The reader moved something: the answer may show. */
  fig.touch = () => {
    if (root.classList.contains("abh-touched")) return;
    root.classList.add("abh-touched");
    asks?.pass();
    [said, first] = [null, null];
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
    fig.touch();
    fig.set(changes, { final: true });
  };
  /** Say something in place of the answer, until reset; fig.keep() keeps room for it before. */
  fig.say = (children) => {
    voice = true;
    say(...children);
  };
  fig.keep = (children) => answerBox.append(room(children));
  fig.onReset = [];
  reset.addEventListener("click", () => {
    root.classList.remove("abh-touched");
    asks?.forget();
    voice = false;
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
    if (Object.keys(now).every((name) => now[name] === colors[name])) return;
    colors = now;
    fig.redraw();
  };
  const theme = new MutationObserver(repaint);
  for (const node of [document.documentElement, document.body]) {
    theme.observe(node, { attributes: true, attributeFilter: ["data-theme", "data-mode", "data-jp-theme-light", "class"] });
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", repaint);

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
  const share = Object.keys(model.get("rules") ?? {}).length ? sharing(fig, { el, initial }) : null;

  const asks = model.get("predict")?.question ? prediction(fig) : null;
  const asked = h("p", { class: "abh-question" }, ...rich(asks?.question ?? question));
  // A prediction stays above its answers; any other question gives its place to the answer.
  answerBox.prepend(...(asks ? [asks.el, ...asks.room] : [h("div", { class: "abh-opening" }, asked, h("p", { class: "abh-invite" }, ...rich(invite)))]));

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
      clearTimeout(timer);
      theme.disconnect();
      dark.removeEventListener("change", repaint);
      for (const key of keys) model.off(`change:${key}`, changed);
      root.remove();
    };
  };
  return fig;
}

/**
 * The question that a figure asks before its first drag: answers of which a tap commits to one, or a number to type,
 * and a way past it. The stage waits dimmed, and never shut: a drag passes the question as "Skip" does. Then the
 * explanation takes the place of the answers. The answer is the trait `answer`; no link has it.
 */
function prediction(fig) {
  const { root, model } = fig;
  const { question, options, solution, tolerance, unit, explanation } = model.get("predict");
  const told = (answer) => (options.length ? rich(options[answer]) : [`${String(Number(answer.toFixed(4))).replace("-", "−")}${unit && `\u00a0${unit}`}`]);
  const right = (answer) => (options.length ? answer === solution : Math.abs(answer - solution) <= tolerance);
  const verdict = (answer) => {
    if (answer === null) return ["The answer: ", ...told(solution), ". "];
    return right(answer) ? ["✓ Yes: ", ...told(solution), ". "] : ["You said: ", ...told(answer), ". It is: ", ...told(solution), ". "];
  };
  const why = () => explanation.split("\n\n").flatMap((text, index) => [...(index ? [h("br")] : []), ...rich(text)]);
  const sentence = (answer) => [h("b", { class: "abh-verdict" }, ...verdict(answer)), ...why()];
  const noted = (answer) => (answer === null ? ["Now drag, and see."] : ["You said: ", ...told(answer), ". Now drag, and see."]);
  const wrong = options.length ? [...options.keys()].filter((index) => index !== solution) : [solution + 2 * tolerance + 1000];

  const commit = (answer) => {
    model.set("answer", answer);
    model.save_changes();
    show();
  };
  const choices = options.map((text, index) => h("button", { type: "button", class: "abh-button abh-option", "data-option": index, onclick: () => commit(index) }, ...rich(text)));
  const field = h("input", { type: "number", step: "any", inputmode: "decimal", class: "abh-field", "aria-label": "Your answer", "data-lm-suppress-shortcuts": "true" });
  const send = h("button", { type: "submit", class: "abh-button abh-primary", "data-action": "commit" }, "Commit");
  const skip = h("button", { type: "button", class: "abh-button abh-quiet-button", "data-action": "skip" }, fig.name === "Predict" ? "Show the answer" : "Skip");
  const note = h("p", { class: "abh-noted", role: "status" });
  const foot = fig.name === "Predict" ? null : h("div", { class: "abh-foot" }, skip, note, ...[solution, ...wrong].map((answer) => room(noted(answer))));
  const el = h("form", { class: "abh-ask", "aria-label": "Your prediction" },
    ...(options.length ? choices : [h("label", { class: "abh-asked" }, field, unit ? h("span", {}, unit) : null), send]), foot);
  let passed = false; // skipped, and still to be dragged
  const alone = () => fig.name === "Predict";

  const show = () => {
    const [answer, done] = [model.get("answer"), root.classList.contains("abh-touched")];
    if (answer !== null && alone() && !done) {
      fig.touch();
      fig.redraw();
      return;
    }
    const open = answer === null && !passed && !done;
    root.classList.toggle("abh-asking", open);
    root.dataset.right = answer === null || !done ? "" : String(Number(right(answer)));
    choices.forEach((node, index) => {
      node.disabled = answer !== null;
      put(node, "aria-pressed", answer === index);
    });
    field.disabled = answer !== null;
    if (answer === null ? field.value !== "" && !open : field.valueAsNumber !== answer) field.value = answer ?? "";
    send.disabled = answer !== null || !Number.isFinite(field.valueAsNumber);
    skip.hidden = !open;
    note.replaceChildren(...(open || done ? [] : noted(answer)));
  };
  skip.addEventListener("click", () => {
    passed = true;
    if (!alone()) return show();
    fig.touch();
    return fig.redraw();
  });
  field.addEventListener("input", show);
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (Number.isFinite(field.valueAsNumber)) commit(field.valueAsNumber);
  });
  return {
    el, question, skip,
    room: [null, ...wrong].map((answer) => room(sentence(answer))),
    told: () => sentence(model.get("answer")),
    pass: () => show(),
    start() {
      model.on("change:answer", show);
      show();
    },
    leave: () => model.off("change:answer", show),
    forget() {
      passed = false;
      field.value = "";
      commit(null);
    },
  };
}

/** Whether no number in what a figure computed is NaN. */
const sound = (value) => {
  if (typeof value === "number") return !Number.isNaN(value);
  return !value || typeof value !== "object" || Object.values(value).every(sound);
};

// ---------------------------------------------------------------- states to take along

let lecturer = null; // the figure that the keys of a lecture move: one at a time
let claimed = ["", null]; // a step's name in the address is for the first figure that has such a step

/**
 * "Share" in a figure's bar: its state as a link, as a frame for another page, as NumPy code; its lecture; large type.
 * A link is `#state=NAME&trait=value…`, where NAME is the figure's (`Masking`, for the second on a page `Masking-2`),
 * or `#state=STEP`, a step of its lecture. What is not for this figure, or nonsense, changes nothing.
 */
function sharing(fig, { el, initial }) {
  const { root, name, model, bar } = fig;
  const [rules, steps] = [model.get("rules"), model.get("lecture") ?? []];
  const slot = el.closest(".abh-slot"); // on a page of the book: in a notebook there is no address to share
  const peers = slot ? [...document.querySelectorAll(`.abh-slot[data-view="${slot.dataset.view}"]`)] : [];
  const own = peers.indexOf(slot) > 0 ? `${name}-${peers.indexOf(slot) + 1}` : name;
  let panel = null;
  let asked = 0; // what was copied last, so that a late answer of the clipboard changes nothing

  const address = (base, who) => {
    const changes = linkFrom(fig.state(), initial, rules);
    return `${base.split("#")[0]}#state=${who}${changes ? `&${changes}` : ""}`;
  };
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  const link = () => address(location.href, own);
  const frame = () => `<iframe src="${escaped(address(new URL(slot.dataset.explore, location.href).href, name))}" title="${name}, a figure of Attention by Hand" width="100%" height="${el.offsetHeight + 80}" style="border: 0" loading="lazy" allow="clipboard-write"></iframe>`;
  const code = () => {
    fig.complete(); // all its matrices
    return pythonFrom(name, Object.fromEntries(Object.keys(rules).map((key) => [key, model.get(key)])),
      [...new Set([...root.querySelectorAll("[data-matrix]")].map((node) => node.dataset.matrix))]);
  };

  // ------------------------------------------------ the panel
  const share = h("button", { type: "button", class: "abh-button abh-quiet-button", "data-action": "share", "aria-expanded": "false" }, "Share");
  const large = h("button", { type: "button", class: "abh-button", "data-action": "large", "aria-pressed": "false" }, "Large type");
  const said = h("p", { class: "abh-label", role: "status" });
  const shown = h("pre", { class: "abh-copied", tabindex: 0, "aria-label": "What to copy" });
  const copier = (label, action, make) => button(label, action, async () => {
    const text = make();
    const turn = (asked += 1);
    shown.textContent = text;
    shown.hidden = false;
    write(said, "");
    let word = "Copied.";
    try {
      await navigator.clipboard.writeText(text);
    } catch { // no permission, or a page in a frame
      word = "The clipboard is closed to this page. Here is the text, selected for you to copy:";
      if (turn === asked) getSelection()?.selectAllChildren(shown);
    }
    if (turn === asked) write(said, word);
  });
  const build = () => {
    panel = h("div", { class: "abh-share", role: "group", "aria-label": "Share" },
      h("div", { class: "abh-row" },
        slot ? copier("Copy link", "copy-link", link) : null,
        slot?.dataset.explore ? copier("Copy iframe", "copy-iframe", frame) : null,
        copier("Copy as NumPy", "copy-numpy", code),
        steps.length ? button("Lecture steps", "lecture", () => {
          close();
          go(0);
        }) : null,
        large),
      said, shown);
    shown.hidden = true;
    bar.append(panel);
  };
  const open = (wanted) => {
    if (wanted && !panel) build();
    if (panel) panel.hidden = !wanted;
    put(share, "aria-expanded", wanted);
  };
  const close = () => {
    asked += 1;
    open(false);
    write(said, "");
    shown.hidden = true;
  };
  share.addEventListener("click", () => (share.getAttribute("aria-expanded") === "true" ? close() : open(true)));
  large.addEventListener("click", () => {
    root.toggleAttribute("data-large");
    put(large, "aria-pressed", root.hasAttribute("data-large"));
  });

  // ------------------------------------------------ the lecture
  let strip = null;
  let here = -1;
  const [says, count] = [h("p", { class: "abh-says", role: "status" }), h("span", { class: "abh-label" })];
  const inField = (node) => node.closest?.("input, select, textarea, [contenteditable]");
  /** Page Down and Page Up; in a field, where these keys belong to the field, Alt with them. */
  const onKey = (event) => {
    const move = { PageDown: 1, PageUp: -1 }[event.key];
    if (event.key === "Escape" && !inField(event.target)) end();
    if (!move || event.ctrlKey || event.metaKey || event.shiftKey || (inField(event.target) && !event.altKey)) return;
    event.preventDefault();
    event.stopPropagation();
    go(here + move);
  };
  /** A slider that was moved by hand gives the keys back to the lecture. */
  const onUp = (event) => event.target.matches?.('input[type="range"]') && setTimeout(() => event.target.blur());
  const end = () => {
    if (here < 0) return;
    here = -1;
    if (lecturer === end) lecturer = null;
    strip.hidden = true;
    document.removeEventListener("keydown", onKey, true);
    root.removeEventListener("pointerup", onUp);
  };
  const begin = () => {
    lecturer?.();
    lecturer = end;
    strip ??= h("div", { class: "abh-lecture", role: "group", "aria-label": "Lecture" },
      h("div", { class: "abh-row" }, button("Previous", "previous", () => go(here - 1)), button("Next", "next", () => go(here + 1)), count, button("End", "end", end)),
      says, h("p", { class: "abh-label abh-keys" }, "Keys: Page Down and Page Up; inside a slider or a menu Alt with them. Esc ends."));
    root.prepend(strip);
    strip.hidden = false;
    document.addEventListener("keydown", onKey, true);
    root.addEventListener("pointerup", onUp);
  };
  function go(wanted) {
    if (here < 0) begin();
    const next = clamp(wanted, 0, steps.length - 1);
    if (next === here) return;
    here = next;
    fig.jump({ ...structuredClone(initial), ...structuredClone(steps[here].changes) });
    write(count, `${here + 1} of ${steps.length}`);
    says.replaceChildren(...rich(steps[here].says));
  }
  fig.onReset.push(close, end);

  // ------------------------------------------------ the address
  const follow = () => {
    const { hash } = location;
    if (!hash.startsWith("#state=")) return;
    const [who, ...rest] = hash.slice(7).split("&");
    const step = rest.length ? -1 : steps.findIndex((one) => one.name === who);
    if (step >= 0 && (claimed[0] !== hash || claimed[1] === root)) {
      claimed = [hash, root];
      go(step);
    } else {
      const changes = who === own ? stateFrom(rest.join("&"), initial, rules) : null;
      if (!changes) return;
      const all = { ...structuredClone(initial), ...changes };
      if (rest.length && !fig.take(all)) return;
    }
    const show = () => root.scrollIntoView({ block: "start", behavior: "instant" });
    show();
    if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(show), { once: true }); // once all stands
  };
  return {
    button: share,
    start() {
      if (!slot) return;
      addEventListener("hashchange", follow);
      follow();
    },
    leave() {
      end();
      removeEventListener("hashchange", follow);
    },
  };
}

const palette = (root) => {
  const style = getComputedStyle(root);
  const color = (name) => style.getPropertyValue(`--abh-${name}`).trim();
  return { ink: color("ink"), raised: color("raised"), hatch: color("hatch"), low: color("low"), mid: color("mid"), high: color("high") };
};

/** The switch that opens the rest of a figure; its state is the trait `opened`. */
export function opener(fig, label = "Open the weights") {
  const button = h("button", { type: "button", class: "abh-button", "data-action": "open" }, label);
  button.addEventListener("click", () => {
    fig.root.closest(".abh-hold")?.style.setProperty("min-height", "0"); // the room that was kept until it lived
    fig.set({ opened: !fig.state().opened }, { final: true });
  });
  fig.bar.prepend(button);
  fig.add((_, state) => {
    put(button, "aria-expanded", Boolean(state.opened));
    fig.more.hidden = !state.opened;
    fig.root.classList.toggle("abh-opened", Boolean(state.opened));
  });
}

// ---------------------------------------------------------------- the hand

/**
 * Let a mouse, a pen or a finger drag: the one way in which anything is dragged here, from the first move to the last.
 * One pointer holds it; further fingers and buttons change nothing until that one has let go.
 *
 * start(event)   may refuse by returning false
 * move(event)    for each move of that pointer, wherever it is
 * end()          it let go, or it was lost on the way: what it set stays
 * cancel()       Escape, or the browser took it (to scroll, say): put back what start() found
 * scrolls        a finger that goes up or down from here scrolls the page; the style sheet's `touch-action` says so too
 */
export function grab(node, { start, move, end = () => {}, cancel = () => {}, scrolls = false }) {
  let held = null; // the pointer that holds it, and where it was last
  const leave = (finish) => {
    if (!held) return;
    const { id } = held;
    held = null;
    node.classList.remove("abh-held");
    removeEventListener("blur", stop);
    removeEventListener("keydown", escape, true);
    if (node.hasPointerCapture(id)) node.releasePointerCapture(id);
    finish();
  };
  const stop = () => leave(end);
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation(); // else it would end a lecture too
    leave(cancel);
  };
  const follow = (event) => {
    if (event.clientX === held.x && event.clientY === held.y) return;
    [held.x, held.y] = [event.clientX, event.clientY];
    move(event);
  };
  node.addEventListener("pointerdown", (event) => {
    if (held || !event.isPrimary || event.button !== 0 || start(event) === false) return;
    event.preventDefault(); // selects neither text nor a notebook's cell
    held = { id: event.pointerId, x: event.clientX, y: event.clientY };
    node.setPointerCapture(event.pointerId);
    node.classList.add("abh-held");
    addEventListener("blur", stop);
    addEventListener("keydown", escape, true);
  });
  const when = (type, call) => node.addEventListener(type, (event) => held?.id === event.pointerId && call(event));
  when("pointermove", (event) => (event.pointerType === "mouse" && !event.buttons ? stop() : follow(event))); // let go where nobody saw it
  when("pointerup", (event) => {
    follow(event);
    stop();
  });
  when("pointercancel", () => leave(cancel));
  when("lostpointercapture", stop);
  // For a browser that does not know `touch-action` here.
  for (const type of ["touchstart", "touchmove"]) {
    if (!scrolls) node.addEventListener(type, (event) => held && event.cancelable && event.preventDefault(), { passive: false });
  }
}

// ---------------------------------------------------------------- controls

const step10 = (event) => (event.shiftKey ? 10 : 1);

/**
 * A native range with a label and its exact value. Its name is the trait, with `.i.j` for an entry.
 * `min` and `max` may be functions of the state; `also(value, state)` gives further changes, set with the value.
 */
export function slider(fig, { key, path = [], label, min, max, step, role = "", format = number, say = format, also = () => ({}) }) {
  const [low, top] = [min, max].map((end) => (typeof end === "function" ? end : () => end));
  const input = h("input", {
    type: "range", name: [key, ...path].join("."), min: low(fig.state()), max: top(fig.state()), step,
    "data-lm-suppress-shortcuts": "true", class: "abh-range",
  });
  const output = h("span", { class: "abh-value", "aria-hidden": "true" }); // aria-valuetext says it
  const el = h("label", { class: `abh-slider abh-role-${role || "ink"}` }, h("span", { class: "abh-label" }, ...rich(label)), output, input);
  const place = () => input.getBoundingClientRect().top;
  let [held, stands] = [0, 0]; // whether a hand holds it, or just did; where it is on the screen then
  const send = (final) => {
    const [state, value] = [fig.state(), snap(input.valueAsNumber, step)];
    if (held) stands = place();
    fig.touch();
    fig.set({ [key]: withAt(state[key], path, value), ...also(value, state) }, { final });
  };
  input.addEventListener("input", () => send(false));
  input.addEventListener("change", () => send(true));
  // What grows or shrinks above a slider that a hand holds scrolls the page, and does not push it away from the hand.
  input.addEventListener("pointerdown", () => {
    [held, stands] = [held + 1, place()];
    const grown = new ResizeObserver(() => {
      const shift = place() - stands;
      if (Math.abs(shift) > 1) scrollBy({ top: shift, behavior: "instant" });
      stands = place();
    });
    const done = () => {
      held -= 1;
      grown.disconnect();
    };
    const leave = () => {
      for (const type of ["pointerup", "pointercancel"]) removeEventListener(type, leave);
      requestAnimationFrame(() => requestAnimationFrame(done)); // what it set last is drawn
    };
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, leave);
    grown.observe(fig.root);
  });
  fig.add((_, state) => {
    put(input, "min", low(state));
    put(input, "max", top(state));
    const value = clamp(at(state[key], path), low(state), top(state));
    if (input.valueAsNumber !== value) input.value = value;
    write(output, format(value));
    put(input, "aria-valuetext", say(value));
  });
  return { el, input };
}

/** A native checkbox. */
export function toggle(fig, { key, path = [], label }) {
  const input = h("input", { type: "checkbox", name: [key, ...path].join("."), "data-lm-suppress-shortcuts": "true" });
  input.addEventListener("change", () => fig.jump({ [key]: withAt(fig.state()[key], path, input.checked) }));
  fig.add((_, state) => {
    input.checked = Boolean(at(state[key], path));
  });
  return { el: h("label", { class: "abh-toggle" }, input, h("span", {}, ...rich(label))), input };
}

/** One of a few: a native select. `options` are [value, label] pairs; where the values are numbers, `read` is Number. */
export function choice(fig, { key, label, options, read = (value) => value }) {
  const select = h("select", { name: key, "data-lm-suppress-shortcuts": "true" },
    ...options.map(([value, text]) => h("option", { value }, text)));
  select.addEventListener("change", () => fig.jump({ [key]: read(select.value) }));
  fig.add((_, state) => {
    if (read(select.value) !== state[key]) select.value = state[key];
  });
  return { el: h("label", { class: "abh-choice" }, h("span", { class: "abh-label" }, label), select), select };
}

/** One of a few, all in sight: native radio buttons drawn as a switch. */
export function radios(fig, { key, label, options }) {
  const inputs = options.map(([value]) => h("input", { type: "radio", name: key, value, "data-lm-suppress-shortcuts": "true" }));
  // A form of its own keeps two figures with the same trait apart.
  const el = h("form", { class: "abh-radios" },
    h("span", { class: "abh-label", "aria-hidden": "true" }, label),
    h("span", { class: "abh-options", role: "radiogroup", "aria-label": label }, ...options.map(([, text], index) => h("label", {}, inputs[index], h("span", {}, ...rich(text))))));
  el.addEventListener("submit", (event) => event.preventDefault());
  inputs.forEach((input) => input.addEventListener("change", () => input.checked && fig.jump({ [key]: input.value })));
  fig.add((_, state) => {
    for (const input of inputs) input.checked = input.value === state[key];
  });
  return { el, inputs };
}

export function button(label, action, onclick) {
  return h("button", { type: "button", class: "abh-button", "data-action": action, onclick }, ...rich(label));
}

// ---------------------------------------------------------------- matrices

const NUMBERS = 8; // up to here each cell shows its number
const CELLS = 16; // up to here each cell is an element; above, a canvas

const chip = (label, shape, role) =>
  h("span", { class: `abh-chip abh-role-${role}` }, h("b", {}, label), shape ? h("span", { class: "abh-shape" }, shape) : null);

/** Many columns with numbers scroll inside their own frame on a phone, and the keyboard reaches that frame. */
const wide = (cols, label) => (cols.length > 5 && cols.length <= NUMBERS ? { "data-wide": "1", tabindex: 0, role: "group", "aria-label": `${label}, all columns` } : {});

/**
 * A matrix: rows are queries (or tokens), columns are keys (or dimensions).
 *
 * kind "weight" draws a bar over [0, 1] under each number; kind "signed" one from a center line over ±domain.
 * `fit` keeps many columns within the width of the figure, also on a phone.
 * values(numbers) -> rows; hidden(numbers) -> rows of booleans, true where the mask hides the pair.
 * There may be fewer values than labels. names(numbers) -> {rows, cols} are labels that change.
 * heads: a label for each head; then values and hidden hold one matrix for each, and so does the picture.
 * tokens: "rows", "cols" or "both" says which of its axes are tokens, for tokenLights().
 */
export function matrix(fig, options) {
  const { name, label = name, role = "ink", kind = "signed", rows, cols, heads = null, names = null, tokens = null, domain = 3, values, hidden = null, sum = false, corner = "", bare = false } = options;
  const shape = bare ? "" : `${rows.length} × ${cols.length}`;
  const head = h("div", { class: "abh-matrix-head" }, chip(label, shape, role));
  const readout = h("p", { class: "abh-readout" });
  const large = Math.max(rows.length, cols.length) > CELLS;
  const tables = heads ? heads.map((_, index) => cellMatrix(fig, { ...options, head: index })) : [large ? canvasMatrix(fig, options, readout) : cellMatrix(fig, options)];
  const boxes = heads && heads.map((text, index) => h("div", { class: "abh-head" }, h("p", { class: "abh-label" }, text), tables[index].el));
  const small = Math.max(rows.length, cols.length) <= NUMBERS;
  const el = h("div", { class: `abh-matrix abh-role-${role} abh-${kind}${small ? "" : " abh-heat"}`, "data-matrix": name, "data-tokens": tokens, ...(options.fit ? {} : wide(cols, label)) },
    head, heads ? h("div", { class: "abh-heads" }, ...boxes) : tables[0].el, small ? null : readout);
  const size = head.querySelector(".abh-shape");
  fig.add((numbers) => {
    const [shown, veiled] = [values(numbers), hidden ? hidden(numbers) : null];
    const labels = names && names(numbers);
    tables.forEach((table, index) => {
      if (labels) table.name(labels);
      table.update(heads ? shown[index] : shown, heads && veiled ? veiled[index] : veiled, el);
    });
    const first = heads ? shown[0] : shown;
    if (size && !large) write(size, `${first.length} × ${first[0].length}`);
  });
  if (!small && !large) {
    el.addEventListener("pointerover", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (cell) write(readout, `${rows[cell.dataset.row]} → ${cols[cell.dataset.col]}: ${cell.dataset.masked ? "−∞" : number(Number(cell.dataset.value), 3)}`);
    });
  }
  return { el, head, boxes, cell: (i, j, index = 0) => tables[index].cell(i, j), domain, kind, sum, corner };
}

const heat = (value, kind, domain) => {
  if (kind === "weight") return `color-mix(in oklab, var(--abh-ink) ${(100 * clamp(value, 0, 1)).toFixed(1)}%, var(--abh-raised))`;
  const t = clamp(value / domain, -1, 1);
  return `color-mix(in oklab, var(--abh-${t < 0 ? "low" : "high"}) ${(100 * Math.abs(t)).toFixed(1)}%, var(--abh-mid))`;
};

/** The table of a matrix alone. `firstCol` is where its columns start in a matrix that is drawn in several tables. */
export function cellMatrix(fig, { rows, cols, kind = "signed", domain = 3, decimals = 2, sum = false, corner = "", head = null, rowHeads = true, firstCol = 0 }) {
  const small = Math.max(rows.length, cols.length) <= NUMBERS;
  const cells = rows.map((_, i) => cols.map((__, j) => {
    const text = h("span", { class: "abh-num" });
    const mark = h("i", { class: kind === "weight" ? "abh-fill" : "abh-barlet", "aria-hidden": "true" });
    const td = h("td", { "data-row": i, "data-col": firstCol + j, "data-head": head }, mark, text);
    return { td, text, mark, value: NaN, hidden: null };
  }));
  const sums = rows.map(() => h("td", { class: "abh-sum" }));
  const colNames = cols.map((text) => h("th", { scope: "col" }, text));
  const rowNames = rows.map((text) => h("th", { scope: "row" }, text));
  const heading = h("tr", {}, rowHeads ? h("td", { class: "abh-corner" }, corner) : null,
    ...colNames, sum ? h("th", { scope: "col", class: "abh-sum" }, "sum") : null);
  const lines = rows.map((_, i) => h("tr", {}, rowHeads ? rowNames[i] : null, ...cells[i].map(({ td }) => td), sum ? sums[i] : null));
  const body = h("tbody", {}, ...lines);
  const el = h("table", {}, h("thead", {}, heading), body);
  let [n, m] = [rows.length, cols.length];

  /** Fewer values than labels: the rows and columns at the end leave the page. */
  const resize = (height, width) => {
    body.replaceChildren(...lines.slice(0, height));
    for (const line of [colNames, ...cells.map((row) => row.map(({ td }) => td))]) {
      for (let j = 1; j < cols.length; j += 1) {
        if (j >= width) line[j].remove();
        else if (!line[j].parentNode) line[j - 1].after(line[j]);
      }
    }
    [n, m] = [height, width];
  };

  const paint = (cell, value, isHidden) => {
    if (Object.is(cell.value, value) && cell.hidden === isHidden) return;
    cell.value = value;
    cell.hidden = isHidden;
    const { td, text, mark } = cell;
    td.classList.toggle("abh-hidden", Boolean(isHidden));
    if (value === -Infinity) {
      td.removeAttribute("data-value");
      put(td, "data-masked", "1");
    } else {
      td.removeAttribute("data-masked");
      put(td, "data-value", value);
    }
    if (!small) {
      td.style.background = isHidden || value === -Infinity ? "" : heat(value, kind, domain);
      return;
    }
    write(text, kind === "weight" ? weightText(value) : number(value, Math.abs(value) < 100 ? decimals : Math.min(decimals, 1)));
    if (kind === "weight") mark.style.setProperty("--abh-share", isHidden ? 0 : clamp(value, 0, 1));
    else {
      const t = Number.isFinite(value) && value > -1e8 ? value / domain : 0;
      mark.style.transform = `scaleX(${clamp(t, -1, 1)})`;
      td.classList.toggle("abh-over", t > 1 + 1e-9);
      td.classList.toggle("abh-under", t < -1 - 1e-9);
    }
  };
  return {
    el,
    cell: (i, j) => cells[i][j].td,
    name(labels) {
      labels.rows?.forEach((text, i) => rowNames[i] && write(rowNames[i], text));
      labels.cols?.forEach((text, j) => colNames[j] && write(colNames[j], text));
    },
    update(values, hidden) {
      if (values.length !== n || values[0].length !== m) resize(values.length, values[0].length);
      values.forEach((row, i) => {
        let total = 0;
        row.forEach((value, j) => {
          total += value;
          paint(cells[i][j], value, hidden ? Boolean(hidden[i][j]) : false);
        });
        if (sum) {
          write(sums[i], `Σ ${weightText(Math.abs(total - 1) < 1e-9 ? 1 : total)}`);
          sums[i].classList.toggle("abh-off", Math.abs(total - 1) > 1e-9);
        }
      });
    },
  };
}

const channels = (color) => {
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data];
};

const mix = (a, b, t) => [0, 1, 2].map((c) => Math.round(a[c] + (b[c] - a[c]) * t));

function canvasMatrix(fig, { rows, cols, kind = "signed", domain = 3 }, readout) {
  const canvas = h("canvas", { role: "img" });
  let [n, m, scale] = [0, 0, 1];
  let pixels, image, inks; // one pixel a cell; inks are its pixels as whole numbers
  let hatch, veil, holes, alphas; // veil: the hatch over what is hidden; holes: one pixel a cell, opaque where it is
  let colors = null;
  const ramp = new Uint32Array(256);
  let fresh = false; // whether the veil is of the mask in `alphas` and in the colors in force
  let [last, painted] = [null, null]; // the values, and those in the picture
  let [veiled, wasVeiled] = [null, false]; // which cells are hidden; whether the picture has a veil

  const prepare = () => {
    colors = fig.colors;
    const [low, mid, high] = kind === "weight" ? [colors.raised, colors.raised, colors.ink] : [colors.low, colors.mid, colors.high];
    const [a, b, c] = [low, mid, high].map(channels);
    const bytes = new Uint8ClampedArray(ramp.buffer);
    for (let index = 0; index < 256; index += 1) {
      bytes.set([...(index < 128 ? mix(a, b, index / 127.5) : mix(b, c, (index - 127.5) / 127.5)), 255], 4 * index);
    }
    hatch = null;
    fresh = false;
  };
  /** The hatch over all of the picture: it changes with the colors and the size alone. */
  const drawHatch = () => {
    hatch = new OffscreenCanvas(veil.width, veil.height);
    const pen = hatch.getContext("2d");
    pen.fillStyle = colors.raised;
    pen.fillRect(0, 0, hatch.width, hatch.height);
    pen.strokeStyle = colors.hatch;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let x = -hatch.height; x < hatch.width; x += 9) {
      pen.moveTo(x, hatch.height);
      pen.lineTo(x + hatch.height, 0);
    }
    pen.stroke();
  };
  /** There may be fewer values than labels, and their number may change. */
  const resize = (values, el) => {
    [n, m] = [values.length, values[0].length];
    scale = Math.max(2, Math.floor(512 / Math.max(n, m)));
    [canvas.width, canvas.height] = [m * scale, n * scale];
    put(canvas, "aria-label", `Heat map of ${n} rows and ${m} columns`);
    pixels = new OffscreenCanvas(m, n);
    veil = new OffscreenCanvas(m * scale, n * scale);
    image = new ImageData(m, n);
    inks = new Uint32Array(image.data.buffer);
    holes = new OffscreenCanvas(m, n);
    alphas = new ImageData(m, n);
    hatch = null;
    fresh = false;
    el.dataset.shape = `${n},${m}`;
    el.values = new Float64Array(n * m);
    const shape = el.querySelector(".abh-shape");
    if (shape) write(shape, `${n} × ${m}`);
  };
  const drawVeil = (hidden) => {
    const { data } = alphas;
    for (let i = 0; i < n; i += 1) {
      const row = hidden[i];
      for (let j = 0; j < m; j += 1) {
        const [offset, alpha] = [4 * (i * m + j) + 3, row[j] ? 255 : 0];
        if (data[offset] === alpha) continue;
        data[offset] = alpha;
        fresh = false;
      }
    }
    if (fresh) return;
    fresh = true;
    if (!hatch) drawHatch();
    holes.getContext("2d").putImageData(alphas, 0, 0);
    const pen = veil.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.globalCompositeOperation = "copy";
    pen.drawImage(holes, 0, 0, veil.width, veil.height);
    pen.globalCompositeOperation = "source-in";
    pen.drawImage(hatch, 0, 0);
  };
  const paint = () => {
    if (last === painted && colors === fig.colors && !veiled && !wasVeiled) return; // nothing changed
    if (colors !== fig.colors) prepare();
    painted = last;
    const [low, unit] = kind === "weight" ? [0, 1] : [-1, domain];
    for (let i = 0; i < n; i += 1) {
      const row = last[i];
      for (let j = 0; j < m; j += 1) inks[i * m + j] = ramp[Math.round(255 * (0.5 + 0.5 * clamp(row[j] / unit, low, 1)))];
    }
    pixels.getContext("2d").putImageData(image, 0, 0);
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(pixels, 0, 0, canvas.width, canvas.height);
    wasVeiled = Boolean(veiled);
    if (!veiled) return;
    drawVeil(veiled);
    pen.drawImage(veil, 0, 0);
  };
  const show = (event) => {
    const box = canvas.getBoundingClientRect();
    const j = clamp(Math.floor(((event.clientX - box.left) / box.width) * m), 0, m - 1);
    const i = clamp(Math.floor(((event.clientY - box.top) / box.height) * n), 0, n - 1);
    const value = last[i][j];
    write(readout, `${rows[i]} → ${cols[j]}: ${kind === "weight" ? weightText(value) : number(value, 3)}`);
  };
  canvas.addEventListener("pointermove", show);
  canvas.addEventListener("pointerdown", show);
  return {
    el: canvas,
    update(values, hidden, el) {
      if (values.length !== n || values[0].length !== m) resize(values, el);
      if (values !== last) for (let i = 0; i < n; i += 1) el.values.set(values[i], i * m);
      [last, veiled] = [values, hidden];
      fig.paint(paint);
    },
  };
}

const PAIRS = ["weights", "scores", "masked_scores"]; // rows are queries, columns keys
const rowsAre = (name) => (name === "k" || name === "v" ? "key" : "query");

/** Outline, in every matrix of the figure, the query and the key of the cell that is pointed at or focused. */
export function linkTokens(fig) {
  const mark = (event) => {
    const cell = event.target.closest?.("td[data-row]");
    const on = event.type === "pointerover" || event.type === "focusin";
    for (const old of fig.root.querySelectorAll(".abh-linked")) old.classList.remove("abh-linked");
    if (!cell || !on) return;
    const name = cell.closest("[data-matrix]")?.dataset.matrix;
    const at = { [rowsAre(name)]: Number(cell.dataset.row) };
    if (PAIRS.includes(name)) at.key = Number(cell.dataset.col);
    for (const el of fig.root.querySelectorAll("[data-matrix]")) {
      const row = at[rowsAre(el.dataset.matrix)];
      if (row !== undefined) el.querySelectorAll("tbody tr")[row]?.classList.add("abh-linked");
      if (at.key !== undefined && PAIRS.includes(el.dataset.matrix)) {
        for (const td of el.querySelectorAll(`td[data-col="${at.key}"]`)) td.classList.add("abh-linked");
      }
    }
  };
  for (const type of ["pointerover", "pointerleave", "focusin", "focusout"]) fig.root.addEventListener(type, mark);
}

/**
 * A button for each token. The chosen one's rows and columns are outlined in every matrix whose axes are tokens, and
 * so are those of the cell under the pointer. The choice is the trait `key`, −1 for none; names(state) are the words.
 */
export function tokenLights(fig, { key, label, count, names }) {
  const buttons = Array.from({ length: count }, (_, t) => h("button", {
    type: "button", class: "abh-tab abh-role-ink", "data-action": `${key}-${t}`, onclick: () => fig.set({ [key]: fig.state()[key] === t ? -1 : t }, { final: true }),
  }));
  const el = h("div", { class: "abh-row", role: "group", "aria-label": label }, h("span", { class: "abh-label" }, label), ...buttons);
  let [lit, shown] = [-1, ""];
  const light = (token) => {
    for (const cell of fig.root.querySelectorAll(".abh-lit")) cell.classList.remove("abh-lit");
    if (token < 0) return;
    for (const [axis, other] of [["row", "rows"], ["col", "cols"]]) {
      for (const part of fig.root.querySelectorAll(`[data-tokens="${other}"], [data-tokens="both"]`)) {
        for (const cell of part.querySelectorAll(`td[data-${axis}="${token}"]`)) cell.classList.add("abh-lit");
      }
    }
  };
  fig.root.addEventListener("pointerover", (event) => {
    const cell = event.target.closest?.("td[data-row]");
    const axes = cell?.closest("[data-tokens]")?.dataset.tokens;
    light(lit >= 0 || !axes ? lit : Number(axes === "cols" ? cell.dataset.col : cell.dataset.row));
  });
  fig.root.addEventListener("pointerleave", () => light(lit));
  fig.add((_, state) => {
    const words = names(state);
    buttons.forEach((node, t) => {
      node.hidden = t >= words.length;
      write(node, words[t] ?? "");
      put(node, "aria-pressed", state[key] === t);
    });
    const now = [state[key], words.length].join();
    if (now === shown) return;
    [shown, lit] = [now, state[key] < words.length ? state[key] : -1];
    light(lit);
  });
  return { el };
}

/** Keep one row outlined in each of some matrices: index(state) is the row of the token that the reader chose. */
export function markRow(fig, matrices, index) {
  fig.add((_, state) => {
    const chosen = index(state);
    for (const { el } of matrices) [...el.querySelector("tbody").rows].forEach((row, i) => row.classList.toggle("abh-chosen", i === chosen));
  });
}

// ---------------------------------------------------------------- the dock: a matrix of sliders

const SLACK = 3; // px that a tap may slip
const PX_A_STEP = 6; // of a sideways drag

/**
 * Matrices whose entries the reader sets: one is open, the others are strips; the dock below holds the range of the
 * selected entry at full width, − and +, and a number field. Tap selects, a sideways drag scrubs, arrows change,
 * Ctrl + arrows choose a neighbor. Every entry keeps its own input, named `key.i.j`; where a matrix has `heads`,
 * `key.h.i.j`, and buttons choose the head.
 *
 * all    small matrices may stand open side by side, without strips
 * lent   inputs by name that stand elsewhere in the figure: an entry never has two
 * peeks  for each matrix a small live copy of what its entries change, where that is far away; or one for all
 */
export function dock(fig, { matrices, min = -3, max = 3, step = 0.1, values, all = false, lent = {}, peeks = [] }) {
  const el = h("div", { class: all ? "abh-dock abh-dock-all" : "abh-dock" });
  const tabs = h("div", { class: "abh-tabs", role: "group", "aria-label": "Which matrix is open" });
  const headTabs = h("div", { class: "abh-tabs", role: "group", "aria-label": "Which head" });
  const panels = [];
  let open = 0;
  let [head, row, col] = [0, 0, 0];

  const pathOf = (p, [k, i, j]) => (matrices[p].heads ? [k, i, j] : [i, j]);
  const read = (p, spot) => at(fig.state()[matrices[p].key], pathOf(p, spot));
  const send = (p, spot, value, final) => {
    const { key } = matrices[p];
    fig.touch();
    fig.set({ [key]: withAt(fig.state()[key], pathOf(p, spot), clamp(snap(value, step), min, max)) }, { final });
  };
  const select = (p, spot, focus = false) => {
    const { rows, cols, heads } = matrices[p];
    open = p;
    [head, row, col] = [clamp(spot[0], 0, heads ? heads.length - 1 : 0), clamp(spot[1], 0, rows.length - 1), clamp(spot[2], 0, cols.length - 1)];
    refresh();
    if (focus) panels[p].inputs[head][row][col].focus();
  };

  matrices.forEach((spec, p) => {
    const view = matrix(fig, { ...spec, name: spec.key, domain: max, values: (numbers) => values(numbers, spec.key) });
    view.el.classList.add("abh-editable");
    const labels = { rows: spec.rows.slice(), cols: spec.cols.slice() };
    const inputs = (spec.heads || [""]).map((_, k) => spec.rows.map((__, i) => spec.cols.map((___, j) => {
      const spot = [k, i, j];
      const entryName = [spec.key, ...pathOf(p, spot)].join(".");
      scrub(view.cell(i, j, k), p, spot);
      const input = lent[entryName] ?? h("input", {
        type: "range", class: "abh-range", name: entryName, min, max, step, "data-lm-suppress-shortcuts": "true",
      });
      input.addEventListener("keydown", (event) => {
        const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (!move || !event.ctrlKey || !el.checkVisibility()) return;
        event.preventDefault();
        select(p, [k, i + move[0], j + move[1]], true);
      });
      if (lent[entryName]) return input;
      input.addEventListener("input", () => send(p, spot, input.valueAsNumber, false));
      input.addEventListener("change", () => send(p, spot, input.valueAsNumber, true));
      fig.add((_numbers, state) => {
        const value = at(state[spec.key], pathOf(p, spot));
        if (input.valueAsNumber !== value) input.value = value;
        put(input, "aria-valuetext", number(value));
      });
      return input;
    })));
    let named = null;
    fig.add((numbers) => {
      Object.assign(labels, spec.names?.(numbers));
      const now = [labels.rows, labels.cols].join();
      if (now === named) return;
      named = now;
      inputs.forEach((lines, k) => lines.forEach((line, i) => line.forEach((input, j) => lent[input.name] ||
        put(input, "aria-label", [spec.label, ...(spec.heads ? [spec.heads[k]] : []), labels.rows[i], labels.cols[j]].join(", ")))));
    });
    const tab = h("button", { type: "button", class: `abh-tab abh-role-${spec.role}`, "data-action": `edit-${spec.key}`, onclick: () => select(p, [head, 0, 0]) }, chip(spec.label, `${spec.rows.length} × ${spec.cols.length}`, spec.role));
    tabs.append(tab);
    panels.push({ view, inputs, tab, labels });
  });
  const most = Math.max(0, ...matrices.map(({ heads }) => heads?.length ?? 0));
  const pickers = Array.from({ length: most }, (_, k) =>
    h("button", { type: "button", class: "abh-tab abh-role-ink", "data-action": `head-${k}`, onclick: () => select(open, [k, row, col]) }));
  headTabs.append(...pickers);

  /** Tap selects, a sideways drag changes the value; a vertical one still scrolls the page. */
  function scrub(cell, p, spot) {
    let from = null;
    grab(cell, {
      scrolls: true,
      start(event) {
        from = { x: event.clientX, state: fig.state(), value: read(p, spot), moved: false };
      },
      move(event) {
        const dx = event.clientX - from.x;
        if (!from.moved && Math.abs(dx) <= SLACK) return;
        if (!from.moved) select(p, spot);
        from.moved = true;
        send(p, spot, from.value + Math.round(dx / PX_A_STEP) * step, false);
      },
      end() {
        if (from.moved) fig.set({}, { final: true });
        else select(p, spot);
      },
      cancel: () => from.moved && fig.set(from.state, { final: true }),
    });
  }

  const here = () => [head, row, col];
  const nudge = (direction) => (event) => send(open, here(), read(open, here()) + direction * step * step10(event), true);
  const name = h("span", { class: "abh-label" });
  const field = h("input", { type: "number", inputmode: "decimal", class: "abh-field", min, max, step, "data-lm-suppress-shortcuts": "true", "aria-label": "Exact value" });
  const sign = h("button", { type: "button", class: "abh-key", "aria-label": "Change the sign", onclick: () => send(open, here(), -read(open, here()), true) }, "±");
  const elsewhere = h("span", { class: "abh-label" }, "Its slider stands above the picture.");
  const slot = h("span", { class: "abh-dock-ranges" }, elsewhere);
  for (const { inputs } of panels) slot.append(...inputs.flat(2).filter((input) => !lent[input.name]));
  field.addEventListener("change", () => {
    if (Number.isFinite(field.valueAsNumber)) send(open, here(), field.valueAsNumber, true);
    else fig.redraw();
  });
  const bar = h("div", { class: "abh-dock-bar" },
    h("div", { class: "abh-dock-line" }, name, field, sign),
    h("div", { class: "abh-dock-line" },
      h("button", { type: "button", class: "abh-key", "aria-label": "Less", onclick: nudge(-1) }, "−"), slot,
      h("button", { type: "button", class: "abh-key", "aria-label": "More", onclick: nudge(1) }, "+")));
  el.append(...(all ? [] : [tabs]), ...(most ? [headTabs] : []), h("div", { class: "abh-panels" }, ...panels.map(({ view }) => view.el)), ...peeks, bar);

  const title = () => {
    const [{ label, heads }, { labels }] = [matrices[open], panels[open]];
    write(name, [label, ...(heads ? [heads[head]] : []), labels.rows[row], labels.cols[col]].join(" · "));
  };
  const refresh = () => {
    if (peeks.length > 1) peeks.forEach((peek, p) => { peek.hidden = p !== open; });
    panels.forEach(({ view, inputs, tab }, p) => {
      view.el.hidden = !all && p !== open;
      put(tab, "aria-pressed", p === open);
      view.boxes?.forEach((box, k) => box.classList.toggle("abh-other", k !== head));
      inputs.forEach((lines, k) => lines.forEach((line, i) => line.forEach((input, j) => {
        const chosen = p === open && k === head && i === row && j === col;
        input.hidden = !chosen && !lent[input.name];
        view.cell(i, j, k).classList.toggle("abh-selected", chosen);
      })));
    });
    const { heads, role } = matrices[open];
    headTabs.hidden = !heads;
    pickers.forEach((picker, k) => {
      write(picker, heads?.[k] ?? "");
      picker.hidden = !heads?.[k];
      put(picker, "aria-pressed", k === head);
    });
    elsewhere.hidden = !lent[panels[open].inputs[head][row][col].name];
    title();
    bar.className = `abh-dock-bar abh-role-${role}`;
    field.value = read(open, here());
  };
  fig.add(() => {
    const value = read(open, here());
    if (field !== document.activeElement || field.valueAsNumber !== value) field.value = value;
    title();
  });
  fig.onReset.push(() => select(0, [0, 0, 0]));
  refresh();
  return { el };
}

/**
 * Let strokes paint the cells of a grid: all that lie under the way of a mouse, a pen or a finger, also between two of
 * its events, take one value. `cells` are rows of elements.
 *
 * begin([i, j])         the value that a stroke from this cell paints
 * paint(spots, value)   gives it to some [i, j]; fig.state() is as before a stroke again if it is called off
 */
export function strokes(fig, grid, cells, { begin, paint }) {
  const spots = cells.flatMap((row, i) => row.map((_, j) => [i, j]));
  const under = (from, to) => spots.filter(([i, j]) => crosses(cells[i][j].getBoundingClientRect(), from, to));
  let stroke = null;
  grab(grid, {
    start(event) {
      const spot = spots.find(([i, j]) => cells[i][j].contains(event.target));
      if (!spot) return false;
      stroke = { state: fig.state(), value: begin(spot), last: [event.clientX, event.clientY] };
      paint([spot], stroke.value);
      return true;
    },
    move(event) {
      const now = [event.clientX, event.clientY];
      const crossed = under(stroke.last, now);
      stroke.last = now;
      if (crossed.length) paint(crossed, stroke.value);
    },
    end: () => fig.set({}, { final: true }),
    cancel: () => fig.set(stroke.state, { final: true }),
  });
  // The click after a stroke would flip a cell back. One that no pointer made, from a key or a screen reader, has no count.
  grid.addEventListener("click", (event) => event.detail > 0 && event.preventDefault());
}

/**
 * A mask painted cell by cell: a table of checkboxes, one tab stop, arrows move, space toggles, strokes paint.
 * change(mask) -> the traits that a painted mask sets.
 */
export function maskPainter(fig, { key, label, rows, cols, allowed, change }) {
  const inputs = rows.map((row, i) => cols.map((col, j) => h("input", {
    type: "checkbox", name: `${key}.${i}.${j}`, tabindex: i + j ? -1 : 0, "data-lm-suppress-shortcuts": "true",
    "aria-label": `${row} may look at ${col}`,
  })));
  const stop = (i, j) => {
    for (const other of inputs.flat()) other.tabIndex = -1;
    inputs[i][j].tabIndex = 0;
    inputs[i][j].focus({ preventScroll: true });
  };
  const paint = (spots, value, set) => {
    const now = allowed(fig.state());
    const changed = spots.filter(([i, j]) => now[i][j] !== value);
    if (changed.length) set(change(changed.reduce((mask, spot) => withAt(mask, spot, value), now)));
  };
  const cells = rows.map((_, i) => cols.map((__, j) => {
    const input = inputs[i][j];
    input.addEventListener("change", () => paint([[i, j]], input.checked, fig.jump));
    input.addEventListener("keydown", (event) => {
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!move) return;
      event.preventDefault();
      if (inputs[i + move[0]]?.[j + move[1]]) stop(i + move[0], j + move[1]);
    });
    return h("td", { class: "abh-paint" }, h("label", {}, input, h("span", { "aria-hidden": "true" })));
  }));
  const grid = h("table", {},
    h("thead", {}, h("tr", {}, h("td", { class: "abh-corner" }), ...cols.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows.map((text, i) => h("tr", {}, h("th", { scope: "row" }, text), ...cells[i]))));
  strokes(fig, grid, cells, {
    begin([i, j]) {
      stop(i, j);
      return !inputs[i][j].checked;
    },
    paint(spots, value) {
      fig.touch();
      paint(spots, value, fig.set);
    },
  });
  const el = h("div", { class: "abh-matrix abh-painter", "data-painter": key, ...wide(cols, label) },
    h("div", { class: "abh-matrix-head" }, chip(label, `${rows.length} × ${cols.length}`, "ink")), grid);
  fig.add((_, state) => {
    const now = allowed(state);
    inputs.forEach((line, i) => line.forEach((input, j) => {
      input.checked = Boolean(now[i][j]);
    }));
  });
  return { el };
}

// ---------------------------------------------------------------- bars and curves

/**
 * Horizontal bars over [0, top], with a tip where a value is beyond: a matrix with one column, so that what it shows can
 * be read and tested. loud(numbers) -> which rows are to be noticed; they say `cry`.
 */
export function bars(fig, { name, label, rows, top, values, text = number, rowHeads = true, loud = () => [], cry = "" }) {
  const lines = rows.map((_, i) => {
    const mark = h("i", { class: "abh-length", "aria-hidden": "true" });
    const num = h("span", { class: "abh-num" });
    return { mark, num, td: h("td", { "data-row": i, "data-col": 0 }, mark, num, cry ? h("span", { class: "abh-cry" }, cry) : null) };
  });
  const el = h("div", { class: "abh-matrix abh-bars", "data-matrix": name },
    h("div", { class: "abh-matrix-head" }, chip(label, "", "v")),
    h("table", {}, h("thead", {}, h("tr", {}, h("td", { class: rowHeads ? "abh-corner" : "abh-nil" }), h("td", { class: "abh-corner" }, "\u00a0"))),
      h("tbody", {}, ...rows.map((row, i) => h("tr", {}, h("th", { scope: "row", class: rowHeads ? "" : "abh-nil" }, h("span", { class: rowHeads ? "" : "abh-unseen" }, row)), lines[i].td)))));
  fig.add((numbers) => {
    const noticed = loud(numbers);
    values(numbers).forEach(([value], i) => {
      const { td, mark, num } = lines[i];
      put(td, "data-value", value);
      mark.style.transform = `scaleX(${clamp(value / top, 0, 1)})`;
      td.classList.toggle("abh-over", value > top);
      td.classList.toggle("abh-loud", Boolean(noticed[i]));
      write(num, text(value));
    });
  });
  return { el };
}

/**
 * Curves over one variable, drawn as SVG, with the present value marked.
 * lines(numbers, state) -> [{label, points: [[x, y], …], now: [x, y]}], each told apart by its dash and its label; now may be left out.
 */
export function curves(fig, { name, label, xLabel, yLabel, x: [x0, x1], y: [y0, y1], lines, ticksX, ticksY, textX = number }) {
  const [width, height, left, right, up, down] = [360, 210, 28, 64, 22, 34];
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (y) => height - down - ((clamp(y, y0, y1) - y0) / (y1 - y0)) * (height - up - down);
  const frame = s("g", { class: "abh-axes" });
  for (const tick of ticksX) {
    frame.append(s("line", { x1: px(tick), x2: px(tick), y1: py(y0), y2: py(y0) + 4 }), s("text", { x: px(tick), y: py(y0) + 16, "text-anchor": "middle" }, textX(tick)));
  }
  for (const tick of ticksY) {
    frame.append(s("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), class: "abh-grid" }), s("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, number(tick)));
  }
  frame.append(s("text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" }, xLabel), s("text", { x: left, y: 9, class: "abh-ylabel" }, yLabel));
  const plot = s("g");
  const picture = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "abh-curves-svg", role: "img", "aria-label": label }, frame, plot);
  const el = h("figure", { class: "abh-curves", "data-curves": name }, picture);
  let drawn = [];
  fig.add((numbers, state) => {
    const data = lines(numbers, state);
    if (drawn.length !== data.length) {
      drawn = data.map((_, index) => ({
        path: s("path", { class: `abh-curve abh-dash-${index % 4}` }),
        point: s("circle", { r: 4, class: "abh-now" }),
        tag: s("text", { class: "abh-tag" }),
      }));
      plot.replaceChildren(...drawn.flatMap(({ path, point, tag }) => [path, point, tag]));
    }
    const ends = data.map(({ points }) => py(points[points.length - 1][1]) + 4);
    const named = data.flatMap(({ label: text }, index) => (text ? [index] : []));
    const apart = named.map((index) => ends[index]);
    spread(apart, 13);
    named.forEach((index, k) => (ends[index] = apart[k]));
    data.forEach(({ label: text, points, now }, index) => {
      const { path, point, tag } = drawn[index];
      put(path, "d", points.map(([x, y], k) => `${k ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join(""));
      point.style.display = now ? "" : "none";
      if (now) {
        put(point, "cx", px(now[0]).toFixed(1));
        put(point, "cy", py(now[1]).toFixed(1));
      }
      put(tag, "x", width - right + 6);
      put(tag, "y", ends[index].toFixed(1));
      write(tag, text);
    });
  });
  return { el };
}

/**
 * Gauges: scalars over [0, top], one line each. items: [{name, label, top, topText}]; the number is numbers[name].
 */
export function gauges(fig, { label, items }) {
  const lines = items.map(({ name, label: text, top, topText = number(top), format = number }) => {
    const mark = h("i", { class: "abh-length", "aria-hidden": "true" });
    const value = h("b", { class: "abh-meter-value", "data-scalar": name });
    fig.add((numbers) => {
      put(value, "data-value", numbers[name]);
      write(value, format(numbers[name]));
      mark.style.transform = `scaleX(${clamp(numbers[name] / top, 0, 1)})`;
    });
    return h("li", {}, h("span", {}, text), value, h("span", { class: "abh-meter" }, mark), h("span", { class: "abh-meter-top" }, topText));
  });
  return { el: h("div", { class: "abh-meters" }, h("p", { class: "abh-label" }, label), h("ul", {}, ...lines)) };
}

/**
 * A histogram in SVG over equal bins of [x0, x1], with what a law expects of each bin as a curve; both are shares.
 * It is two matrices of one row, `name` and `curve`, so that what it shows can be read and tested.
 */
export function histogram(fig, { name, curve, label, x: [x0, x1], top, ticksX, xLabel, values, expected }) {
  const [width, height, left, right, up, down] = [360, 180, 30, 8, 12, 34];
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (share) => height - down - (clamp(share, 0, top) / top) * (height - up - down);
  const frame = s("g", { class: "abh-axes" });
  for (const tick of ticksX) frame.append(s("text", { x: px(tick), y: py(0) + 15, "text-anchor": "middle" }, number(tick)));
  for (const tick of [0, top / 2, top]) {
    frame.append(s("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), class: "abh-grid" }), s("text", { x: left - 5, y: py(tick) + 4, "text-anchor": "end" }, number(tick)));
  }
  frame.append(s("text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, xLabel));
  const [boxes, dots] = [s("g", { "data-matrix": name }), s("g", { "data-matrix": curve })];
  const line = s("path", { class: "abh-curve abh-curve-ink" });
  const el = h("figure", { class: "abh-curves" }, s("svg", { viewBox: `0 0 ${width} ${height}`, class: "abh-curves-svg", role: "img", "aria-label": label }, frame, boxes, line, dots));
  const fit = (group, shares, make) => {
    if (!group.childNodes.length) group.append(...shares.map((_, i) => make(i)));
    shares.forEach((share, i) => put(group.childNodes[i], "data-value", share));
  };
  fig.add((numbers) => {
    const [shares, law] = [values(numbers), expected(numbers)];
    const step = (x1 - x0) / shares.length;
    fit(boxes, shares, (i) => s("rect", { class: "abh-bin", "data-row": 0, "data-col": i, x: px(x0 + i * step) + 0.5, width: px(step) - px(0) - 1 }));
    fit(dots, law, (i) => s("circle", { class: "abh-bin-dot", r: 1.8, "data-row": 0, "data-col": i, cx: px(x0 + (i + 0.5) * step) }));
    shares.forEach((share, i) => {
      put(boxes.childNodes[i], "y", py(share).toFixed(1));
      put(boxes.childNodes[i], "height", (py(0) - py(share)).toFixed(1));
    });
    law.forEach((share, i) => put(dots.childNodes[i], "cy", py(share).toFixed(1)));
    put(line, "d", law.map((share, i) => `${i ? "L" : "M"}${px(x0 + (i + 0.5) * step).toFixed(1)} ${py(share).toFixed(1)}`).join(""));
  });
  return { el };
}

/** Push labels apart until neighbors are `gap` away from each other; keeps their order. */
const spread = (ys, gap) => {
  const order = ys.map((_, index) => index).sort((a, b) => ys[a] - ys[b]);
  for (let k = order.length - 2; k >= 0; k -= 1) ys[order[k]] = Math.min(ys[order[k]], ys[order[k + 1]] - gap);
};

// ---------------------------------------------------------------- what glides

/** Whether the reader wants no motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Draw with numbers that glide after a jump (a preset, a switch, reset) and are there at once in a drag:
 * values(numbers, state) -> a flat list; draw(values, numbers, state) is called with those of the moment.
 */
export function tween(fig, values, draw, duration = 450) {
  let at = null;
  let frame = 0;
  fig.add((numbers, state) => {
    cancelAnimationFrame(frame);
    const to = values(numbers, state);
    const show = (now) => {
      at = now;
      draw(now, numbers, state);
    };
    if (!at || at.length !== to.length || !fig.root.classList.contains("abh-glide") || still()) return show(to);
    const [from, start] = [at, performance.now()];
    const step = (now) => {
      const t = clamp((now - start) / duration, 0, 1);
      show(from.map((value, i) => value + (t * t * (3 - 2 * t)) * (to[i] - value)));
      if (t < 1 && fig.root.isConnected) frame = requestAnimationFrame(step);
    };
    return step(start);
  });
}

/** A small live copy of a plane, to stand beside an editor that is far from it. */
export function mirror(fig, { el }) {
  const picture = el.querySelector("svg");
  picture.id = `abh-picture-${fig.id}`;
  return h("div", { class: "abh-peek", "aria-hidden": "true" }, s("svg", { viewBox: "0 0 300 300", class: "abh-mirror", "data-mirror": "1" }, s("use", { href: `#${picture.id}`, width: 300, height: 300 })));
}

// ---------------------------------------------------------------- the plane

const GRIP = 44; // px on the screen, however small the plane is drawn

/**
 * A square piece of the plane, −reach … reach both ways, with the cross of its axes. What is added is drawn in that
 * order; each part is a function that puts it somewhere.
 *
 * What can be dragged has a grip: an element above the picture, in which nothing else takes a pointer. Its attribute
 * `data-grip` names the trait that it sets as inputs do: `angle`, or `k.0` for a row of k, whose inputs are `k.0.0` and
 * `k.0.1`; `data-grip-also` names a second one. For the keyboard each of these has its slider. `drag` is called with a
 * point of the plane, on a grid of 0.1.
 */
export function plane(fig, { label, reach = 3.4, limit = 3 }) {
  const size = 300;
  const px = (x) => (size / 2) * (1 + x / reach);
  const py = (y) => (size / 2) * (1 - y / reach);
  const place = (node, values) => Object.entries(values).forEach(([name, value]) => put(node, name, value.toFixed(2)));
  const picture = s("svg", { viewBox: `0 0 ${size} ${size}`, class: "abh-plane", role: "img", "aria-label": label },
    s("g", { class: "abh-axes" }, s("line", { x1: 0, x2: size, y1: py(0), y2: py(0), class: "abh-grid" }), s("line", { y1: 0, y2: size, x1: px(0), x2: px(0), class: "abh-grid" })));
  const frame = h("div", { class: "abh-plane-frame" }, picture);
  const grips = [];
  let unit = 0; // px on the screen for one of the picture
  let queued = false;

  /** Where grips meet, the nearest takes the pointer: each keeps what is nearer to it than to any other, in the frame. */
  const share = () => {
    queued = false;
    const [half, edge] = [GRIP / 2, size * unit];
    for (const own of grips) {
      const [x, y] = [own.x * unit, own.y * unit];
      const [left, up, right, down] = [Math.max(-half, -x), Math.max(-half, -y), Math.min(half, edge - x), Math.min(half, edge - y)];
      let region = [[left, up], [right, up], [right, down], [left, down]];
      for (const other of grips) {
        const [dx, dy] = [other.x * unit - x, other.y * unit - y];
        const apart = dx * dx + dy * dy;
        if (other === own || other.node.hidden || apart < 1 || apart > 2 * GRIP * GRIP) continue;
        region = clipPolygon(region, ([a, b]) => apart / 2 - a * dx - b * dy).kept;
      }
      own.node.style.clipPath = `polygon(${region.map(([a, b]) => `${(a + half).toFixed(1)}px ${(b + half).toFixed(1)}px`).join(", ")})`;
    }
  };
  const shareSoon = () => {
    if (queued || !unit) return;
    queued = true;
    queueMicrotask(share);
  };
  new ResizeObserver(() => {
    unit = frame.clientWidth / size;
    shareSoon();
  }).observe(frame);

  /** A grip, with its halo in the picture; returns what puts it at a point of the picture. */
  const grip = (halo, { trait, also = null, drag }) => {
    const node = h("div", { class: "abh-grip", "data-grip": trait, "data-grip-also": also });
    const own = { node, x: 0, y: 0 };
    let from = null;
    grab(node, {
      start(event) {
        const box = node.getBoundingClientRect();
        from = { state: fig.state(), x: box.left + box.width / 2 - event.clientX, y: box.top + box.height / 2 - event.clientY };
      },
      move(event) {
        const box = picture.getBoundingClientRect();
        const value = (part) => clamp(snap((2 * part - 1) * reach, 0.1), -limit, limit);
        fig.touch();
        drag(value((event.clientX + from.x - box.left) / box.width), value(1 - (event.clientY + from.y - box.top) / box.height));
      },
      end: () => fig.set({}, { final: true }),
      cancel: () => fig.set(from.state, { final: true }),
    });
    for (const type of ["pointerenter", "pointerleave"]) node.addEventListener(type, () => halo.classList.toggle("abh-near", type === "pointerenter"));
    grips.push(own);
    frame.append(node);
    return (x, y, { shown = true, trait: now = trait } = {}) => {
      put(node, "data-grip", now);
      node.hidden = !shown;
      [own.x, own.y] = [x, y];
      node.style.left = `${((100 * x) / size).toFixed(3)}%`;
      node.style.top = `${((100 * y) / size).toFixed(3)}%`;
      shareSoon();
    };
  };
  const add = (node) => {
    picture.append(node);
    return node;
  };
  const hatch = () => {
    const id = `abh-hatch-${fig.id}`;
    if (!picture.querySelector("pattern")) {
      picture.prepend(s("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { class: "abh-veil-ground", width: 6, height: 6 }), s("line", { class: "abh-veil-line", x1: 0, x2: 0, y1: 0, y2: 6 })));
    }
    return id;
  };

  return {
    el: h("div", { class: "abh-plane-box" }, frame),
    /** The convex hull of points. */
    hull() {
      const region = add(s("polygon", { class: "abh-hull" }));
      return (points) => put(region, "points", convexHull(points).map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" "));
    },
    /** A line between two points, as thick as a weight. */
    weightLine() {
      const line = add(s("line", { class: "abh-weight-line" }));
      return ([x1, y1], [x2, y2], weight) => {
        place(line, { x1: px(x1), y1: py(y1), x2: px(x2), y2: py(y2), "stroke-width": 14 * weight });
      };
    },
    /** A dotted line that ties together what belongs to one word. */
    tie() {
      const line = add(s("line", { class: "abh-tie" }));
      return ([x1, y1], [x2, y2]) => place(line, { x1: px(x1), y1: py(y1), x2: px(x2), y2: py(y2) });
    },
    /** A word as a point: a dot, or with a role ("k", "v") a ring with that letter in it. */
    word(text, { role = "", grip: trait, drag }) {
      const name = s("text", { class: "abh-word" }, text);
      const mark = role
        ? s("g", { class: `abh-ring abh-ring-${role}` }, s("circle", { r: 10.5 }), role === "v" ? s("circle", { r: 7.5 }) : null, s("text", { y: 3.5 }, role))
        : s("circle", { r: 5, class: "abh-dot-k" });
      const halo = s("circle", { r: role ? 16 : 14, class: `abh-halo abh-role-${role || "k"}` });
      const group = add(s("g", { class: "abh-point" }, halo, mark, name));
      const hold = grip(halo, { trait, drag });
      return ([x, y], hidden = false) => {
        hold(px(x), py(y));
        put(group, "transform", `translate(${px(x).toFixed(2)} ${py(y).toFixed(2)})`);
        const over = y >= 0 && py(y) > 32; // a label stays in the picture
        put(name, "y", over || py(y) > size - 28 ? -14 : 24);
        put(name, "x", (clamp(px(x), 26, size - 26) - px(x)).toFixed(2));
        group.classList.toggle("abh-hidden-point", hidden);
      };
    },
    /** Hatching over a place that may not be looked at. */
    veil() {
      const disk = add(s("circle", { class: "abh-veil", r: 17, fill: "url(#" + hatch() + ")" }));
      return ([x, y], shown) => {
        disk.style.display = shown ? "" : "none";
        place(disk, { cx: px(x), cy: py(y) });
      };
    },
    /** Small dots around points: one for each point of a list, null for none. They come one after the other. */
    swarm(count) {
      const dots = Array.from({ length: count }, () => s("circle", { class: "abh-look", r: 2.6 }));
      const group = add(s("g", { class: "abh-swarm" }, ...dots));
      let shown = false;
      return (points) => {
        const seen = new Map();
        const arrive = points.length > 0 && !shown && !still();
        shown = points.length > 0;
        group.style.display = shown ? "" : "none";
        points.forEach((point, i) => {
          dots[i].style.display = point ? "" : "none";
          if (!point) return;
          const nth = seen.get(point) ?? 0;
          seen.set(point, nth + 1);
          const [far, turn] = [11 + 3.1 * Math.sqrt(nth + 1), 2.39996 * nth];
          const [x, y] = [px(point[0]) + far * Math.cos(turn), py(point[1]) + far * Math.sin(turn)];
          place(dots[i], { cx: x, cy: y });
          if (arrive) dots[i].animate([{ transform: `translate(${(px(0) - x).toFixed(1)}px, ${(py(0) - y).toFixed(1)}px)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none" }], { duration: 500, delay: 9 * i, fill: "backwards", easing: "ease-out" });
        });
      };
    },
    /** The line where a · p + b = 0, and beyond it the side where that is positive. */
    cut() {
      const side = add(s("polygon", { class: "abh-cut-side" }));
      const line = add(s("line", { class: "abh-cut" }));
      const rims = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map((corner) => corner.map((x) => x * reach));
      return (a, b) => {
        const { kept, rim } = clipPolygon(rims, ([x, y]) => a[0] * x + a[1] * y + b);
        put(side, "points", kept.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" "));
        line.style.display = rim.length ? "" : "none";
        if (rim.length) place(line, { x1: px(rim[0][0]), y1: py(rim[0][1]), x2: px(rim[1][0]), y2: py(rim[1][1]) });
      };
    },
    /** A result as a point: full or hollow. What is out of the picture waits at its rim, as a triangle. */
    mark(full) {
      const name = s("text", { class: "abh-word" });
      const disk = s("circle", { r: 7.5 });
      const tip = s("path", { d: "M8 0L-5 6.5L-5 -6.5Z" });
      const group = add(s("g", { class: `abh-mark-point${full ? " abh-full-point" : ""}` }, disk, tip, name));
      return ([x, y], text) => {
        const over = Math.max(1, Math.max(Math.abs(x), Math.abs(y)) / (reach * 0.94));
        const [tx, ty] = [px(x / over), py(y / over)];
        put(group, "transform", `translate(${tx.toFixed(2)} ${ty.toFixed(2)})`);
        disk.style.display = over > 1 ? "none" : "";
        tip.style.display = over > 1 ? "" : "none";
        put(tip, "transform", `rotate(${((Math.atan2(-y, x) * 180) / Math.PI).toFixed(1)})`);
        put(name, "x", clamp(tx, 40, size - 40) - tx);
        put(name, "y", full ? (ty > size - 30 ? -15 : 25) : ty < 30 ? 25 : -15); // so that neighbors on a line keep apart
        write(name, text);
      };
    },
    /** An arrow from the origin, to be dragged by its tip. */
    arrow(text, { grip: trait, also, drag, role = "q" }) {
      const shaft = s("path", { class: "abh-arrow" });
      const halo = s("circle", { r: 16, class: "abh-halo" });
      const name = s("text", { class: "abh-arrow-name" }, text);
      const group = add(s("g", { class: `abh-role-${role}` }, halo, shaft, name));
      const hold = grip(halo, { trait, also, drag });
      return ([x, y], { shown = true, text: now = text, grip: sets = trait } = {}) => {
        group.style.display = shown ? "" : "none";
        hold(px(x), py(y), { shown, trait: sets });
        const [tx, ty] = [px(x), py(y)];
        const turn = Math.atan2(ty - py(0), tx - px(0));
        const barb = (side) => `M${tx.toFixed(1)} ${ty.toFixed(1)}L${(tx - 12 * Math.cos(turn + side)).toFixed(1)} ${(ty - 12 * Math.sin(turn + side)).toFixed(1)}`;
        put(shaft, "d", `M${px(0)} ${py(0)}L${tx.toFixed(1)} ${ty.toFixed(1)}${barb(0.45)}${barb(-0.45)}`);
        place(halo, { cx: tx, cy: ty });
        write(name, now);
        place(name, { x: clamp(tx, 30, size - 30), y: clamp(ty + (y < 0 ? 24 : -13), 14, size - 6) });
      };
    },
    /** The output. */
    dot() {
      const dot = add(s("circle", { r: 8, class: "abh-dot-v" }));
      return ([x, y], shown = true) => {
        dot.style.display = shown ? "" : "none";
        place(dot, { cx: px(x), cy: py(y) });
      };
    },
  };
}

// ---------------------------------------------------------------- goals

/** What to try: each goal has a lamp that the page lights, a ✓ and the word "done", and keeps until reset. */
export function goals(fig, list) {
  const items = list.map(({ text, test }) => {
    const lamp = h("span", { class: "abh-lamp", "data-lamp": "0" });
    const done = h("span", { class: "abh-done", role: "status" });
    return { lamp, done, test, li: h("li", {}, lamp, h("span", {}, ...rich(text)), " ", done) };
  });
  const el = h("div", { class: "abh-goals" }, h("p", { class: "abh-label" }, "What to try"), h("ul", {}, ...items.map(({ li }) => li)));
  fig.add((numbers, state) => {
    if (!fig.root.classList.contains("abh-touched")) return;
    for (const { lamp, done, test } of items) {
      if (lamp.dataset.lamp === "1" || !test(numbers, state)) continue;
      lamp.dataset.lamp = "1";
      lamp.textContent = "✓";
      done.textContent = "done";
    }
  });
  fig.onReset.push(() => {
    for (const { lamp, done } of items) {
      lamp.dataset.lamp = "0";
      lamp.textContent = "";
      done.textContent = "";
    }
  });
  return { el };
}
