// States to take along: a link, a frame for another page, NumPy, the steps of a lecture.
import { clamp } from "../core.js";
import { linkFrom, numpyFrom, stateFrom } from "../states.js";
import { button } from "./controls.js";
import { h, put, rich, shared, write } from "./elements.js";

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
const inField = (node) => node.closest?.("input, select, textarea, [contenteditable]");

/** The steps of a figure's lecture, with a bar above the figure: `go` to one, and `end`. */
function lectureOf(fig, initial, steps) {
  const { root } = fig;
  let bar = null;
  let here = -1;
  let before = null; // what the lecture found, and leaves
  const [says, count] = [h("p.abh-says", { role: "status" }), h("span.abh-label")];
  /** Page Down and Page Up; in a field, where these keys belong to the field, Alt with them. */
  const onKey = (event) => {
    const move = { PageDown: 1, PageUp: -1 }[event.key];
    if (event.key === "Escape" && !inField(event.target)) finish();
    if (!move || event.ctrlKey || event.metaKey || event.shiftKey || (inField(event.target) && !event.altKey)) return;
    event.preventDefault();
    event.stopPropagation();
    go(here + move);
  };
  /** A slider that was moved by hand gives the keys back to the lecture. */
  const onUp = (event) => event.target.matches?.('input[type="range"]') && setTimeout(() => event.target.blur());
  const end = () => {
    if (here < 0) return false;
    here = -1;
    if (shared.lecturer === finish) shared.lecturer = null;
    bar.hidden = true;
    document.removeEventListener("keydown", onKey, true);
    root.removeEventListener("pointerup", onUp);
    return true;
  };
  const finish = () => {
    if (end()) fig.setState(before);
  };
  const made = () => {
    const keys =
      "Keys: Page Down and Page Up; inside a slider or a menu Alt with them. Esc ends, and puts back what was.";
    const buttons = [
      button("Previous", "previous", () => go(here - 1)),
      button("Next", "next", () => go(here + 1)),
      count,
      button("End", "end", finish),
    ];
    const group = { role: "group", "aria-label": "Lecture" };
    return h("div.abh-lecture", group, h("div.abh-row", ...buttons), says, h("p.abh-label.abh-keys", keys));
  };
  const begin = () => {
    shared.lecturer?.();
    shared.lecturer = finish;
    before = structuredClone(fig.state());
    bar ??= made();
    root.prepend(bar);
    bar.hidden = false;
    bar.scrollIntoView({ block: "nearest", behavior: "instant" }); // the page's header may cover it
    document.addEventListener("keydown", onKey, true);
    root.addEventListener("pointerup", onUp);
  };
  const go = (wanted) => {
    if (here < 0) begin();
    const next = clamp(wanted, 0, steps.length - 1);
    if (next === here) return;
    here = next;
    fig.setState({ ...structuredClone(initial), ...structuredClone(steps[here].changes) });
    write(count, `${here + 1} of ${steps.length}`);
    says.replaceChildren(...rich(steps[here].says));
  };
  return { go, end };
}

/** A panel of buttons, each [label, action, make], that copy a text; `copied` is where it stands, too. */
function copying(makers, ...more) {
  const said = h("p.abh-label", { role: "status" });
  const shown = h("pre.abh-copied", { tabindex: 0, "aria-label": "What to copy" });
  const copy = async (text) => {
    shown.textContent = text;
    shown.hidden = false;
    write(said, "");
    let word = "Copied.";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // no permission, or a page in a frame
      word = "The clipboard is closed to this page. Here is the text, selected for you to copy:";
      getSelection()?.selectAllChildren(shown);
    }
    write(said, word);
  };
  const buttons = makers.map(([label, action, make]) => button(label, action, () => copy(make())));
  const row = h("div.abh-row", ...buttons, ...more);
  shown.hidden = true;
  return {
    el: h("div.abh-share", { role: "group", "aria-label": "Share" }, row, said, shown),
    forget() {
      write(said, "");
      shown.hidden = true;
    },
  };
}

/**
 * "Share" in a figure's bar: its state as a link, as a frame for another page, as NumPy; its lecture.
 * A link is `#state=NAME&trait=value…`, where NAME is the figure's (`Masking`, for the second on a page `Masking-2`),
 * or `#state=STEP`, a step of its lecture. What is not for this figure, or nonsense, changes nothing.
 */
export function sharing(fig, { el, initial, numbers }) {
  const { root, name, model } = fig;
  const [rules, steps, program] = ["rules", "lecture", "numpy"].map((trait) => model.get(trait));
  const slot = el.closest(".abh-slot"); // on a page of the book: in a notebook there is no address to share
  const peers = slot ? [...document.querySelectorAll(`.abh-slot[data-view="${slot.dataset.view}"]`)] : [];
  const own = peers.indexOf(slot) > 0 ? `${name}-${peers.indexOf(slot) + 1}` : name;
  const lecture = lectureOf(fig, initial, steps ?? []);
  const traits = () => Object.fromEntries(Object.keys(rules).map((key) => [key, model.get(key)]));

  const address = (base, who) => {
    const changes = linkFrom(fig.state(), initial, rules);
    return `${base.split("#")[0]}#state=${who}${changes ? `&${changes}` : ""}`;
  };
  /** The figure's height without this panel, which is open. */
  const alone = () => {
    panel.el.hidden = true;
    const tall = el.offsetHeight;
    panel.el.hidden = false;
    return tall;
  };
  const frame = () =>
    [
      `<iframe src="${escaped(address(new URL(slot.dataset.explore, location.href).href, name))}"`,
      `title="${name}, a figure of Attention by Hand" width="100%" height="${alone() + 80}"`,
      'style="border: 0" loading="lazy" allow="clipboard-write"></iframe>',
    ].join(" ");
  const about = `${name}, as it stands in Attention by Hand. Needs NumPy alone.`;
  let panel = null;
  const build = () => {
    const makers = [
      slot && ["Copy link", "copy-link", () => address(location.href, own)],
      slot?.dataset.explore && ["Copy iframe", "copy-iframe", frame],
      program && ["Copy as NumPy", "copy-numpy", () => numpyFrom(about, program, { ...numbers(), ...traits() })],
    ];
    const begin = button("Lecture steps", "lecture", () => {
      close();
      lecture.go(0);
    });
    panel = copying(makers.filter(Boolean), steps?.length ? begin : null);
    fig.bar.append(panel.el);
  };
  const open = (wanted) => {
    if (wanted && !panel) build();
    if (panel) panel.el.hidden = !wanted;
    put(share, "aria-expanded", wanted);
  };
  const close = () => {
    open(false);
    panel?.forget();
  };
  const share = button("Share", "share", () =>
    share.getAttribute("aria-expanded") === "true" ? close() : open(true),
  );
  share.classList.add("abh-quiet-button");
  put(share, "aria-expanded", false);
  share.hidden = !(slot || program || steps?.length); // an exercise in a notebook has nothing to take along
  fig.onReset.push(close, lecture.end);

  /** Do what the address asks for. */
  const follow = () => {
    const { hash } = location;
    if (!hash.startsWith("#state=")) return;
    const [who, ...rest] = hash.slice(7).split("&");
    const step = rest.length ? -1 : (steps ?? []).findIndex((one) => one.name === who);
    if (step >= 0 && (shared.claimed[0] !== hash || shared.claimed[1] === root)) {
      shared.claimed = [hash, root];
      lecture.go(step);
    } else {
      const changes = who === own ? stateFrom(rest.join("&"), initial, rules) : null;
      if (!changes) return;
      const all = { ...structuredClone(initial), ...changes };
      if (rest.length && !fig.applyState(all)) return;
    }
    const show = () => root.scrollIntoView({ block: "start", behavior: "instant" });
    show();
    if (document.readyState !== "complete")
      addEventListener("load", () => requestAnimationFrame(show), { once: true }); // once all stands
  };
  return {
    button: share,
    start() {
      fig.onLeave.push(lecture.end);
      if (!slot) return;
      addEventListener("hashchange", follow);
      fig.onLeave.push(() => removeEventListener("hashchange", follow));
      follow();
    },
  };
}
