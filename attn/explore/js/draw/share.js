// States to take along: a link, a frame for another page, NumPy, a widget's code, the steps of a lecture.
import { clamp } from "../core.js";
import { linkFrom, numpyFrom, pythonFrom, stateFrom } from "../states.js";
import { button } from "./controls.js";
import { h, put, rich, shared, write } from "./elements.js";

/**
 * "Share" in a figure's bar: its state as a link, as a frame for another page, as NumPy, as a widget; its lecture;
 * large type.
 * A link is `#state=NAME&trait=value…`, where NAME is the figure's (`Masking`, for the second on a page `Masking-2`),
 * or `#state=STEP`, a step of its lecture. What is not for this figure, or nonsense, changes nothing.
 */
export function sharing(fig, { el, initial, numbers }) {
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
  /** The figure's height without this panel, which is open. */
  const alone = () => {
    panel.hidden = true;
    const tall = el.offsetHeight;
    panel.hidden = false;
    return tall;
  };
  const frame = () =>
    [
      `<iframe src="${escaped(address(new URL(slot.dataset.explore, location.href).href, name))}"`,
      `title="${name}, a figure of Attention by Hand" width="100%" height="${alone() + 80}"`,
      'style="border: 0" loading="lazy" allow="clipboard-write"></iframe>',
    ].join(" ");
  const program = model.get("numpy");
  const numpy = () => {
    const values = { ...numbers(), ...Object.fromEntries(Object.keys(rules).map((key) => [key, model.get(key)])) };
    return numpyFrom(`${name}, as it stands in Attention by Hand. Needs NumPy alone.`, program, values);
  };
  const code = () => {
    fig.complete(); // all its matrices
    return pythonFrom(name, Object.fromEntries(Object.keys(rules).map((key) => [key, model.get(key)])), [
      ...new Set([...root.querySelectorAll("[data-matrix]")].map((node) => node.dataset.matrix)),
    ]);
  };

  // ------------------------------------------------ the panel
  const share = h(
    "button.abh-button.abh-quiet-button",
    { type: "button", "data-action": "share", "aria-expanded": "false" },
    "Share",
  );
  const large = h(
    "button.abh-button",
    { type: "button", "data-action": "large", "aria-pressed": "false" },
    "Large type",
  );
  const said = h("p.abh-label", { role: "status" });
  const shown = h("pre.abh-copied", { tabindex: 0, "aria-label": "What to copy" });
  const copier = (label, action, make) =>
    button(label, action, async () => {
      const text = make();
      const turn = (asked += 1);
      shown.textContent = text;
      shown.hidden = false;
      write(said, "");
      let word = "Copied.";
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // no permission, or a page in a frame
        word = "The clipboard is closed to this page. Here is the text, selected for you to copy:";
        if (turn === asked) getSelection()?.selectAllChildren(shown);
      }
      if (turn === asked) write(said, word);
    });
  const build = () => {
    panel = h(
      "div.abh-share",
      { role: "group", "aria-label": "Share" },
      h(
        "div.abh-row",
        slot ? copier("Copy link", "copy-link", link) : null,
        slot?.dataset.explore ? copier("Copy iframe", "copy-iframe", frame) : null,
        program ? copier("Copy as NumPy", "copy-numpy", numpy) : null,
        copier("Copy as a widget", "copy-widget", code),
        steps.length
          ? button("Lecture steps", "lecture", () => {
              close();
              go(0);
            })
          : null,
        large,
      ),
      said,
      shown,
    );
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
  const [says, count] = [h("p.abh-says", { role: "status" }), h("span.abh-label")];
  const inField = (node) => node.closest?.("input, select, textarea, [contenteditable]");
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
  let before = null; // what the lecture found, and leaves
  const end = () => {
    if (here < 0) return false;
    here = -1;
    if (shared.lecturer === finish) shared.lecturer = null;
    strip.hidden = true;
    document.removeEventListener("keydown", onKey, true);
    root.removeEventListener("pointerup", onUp);
    return true;
  };
  const finish = () => {
    if (end()) fig.setState(before);
  };
  const begin = () => {
    shared.lecturer?.();
    shared.lecturer = finish;
    before = structuredClone(fig.state());
    strip ??= h(
      "div.abh-lecture",
      { role: "group", "aria-label": "Lecture" },
      h(
        "div.abh-row",
        button("Previous", "previous", () => go(here - 1)),
        button("Next", "next", () => go(here + 1)),
        count,
        button("End", "end", finish),
      ),
      says,
      h(
        "p.abh-label.abh-keys",
        "Keys: Page Down and Page Up; inside a slider or a menu Alt with them. Esc ends, and puts back what was.",
      ),
    );
    root.prepend(strip);
    strip.hidden = false;
    strip.scrollIntoView({ block: "nearest", behavior: "instant" }); // the page's header may cover it
    document.addEventListener("keydown", onKey, true);
    root.addEventListener("pointerup", onUp);
  };
  function go(wanted) {
    if (here < 0) begin();
    const next = clamp(wanted, 0, steps.length - 1);
    if (next === here) return;
    here = next;
    fig.setState({ ...structuredClone(initial), ...structuredClone(steps[here].changes) });
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
    if (step >= 0 && (shared.claimed[0] !== hash || shared.claimed[1] === root)) {
      shared.claimed = [hash, root];
      go(step);
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
