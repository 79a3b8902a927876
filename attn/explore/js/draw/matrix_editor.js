// The matrix editor: matrices of sliders, one number at a time in the hand.
import { clamp, mapped, matrixFrom, snap } from "../core.js";
import { number } from "../number.js";
import { ARROWS, at, nativeInput, onRange, range, step10, withAt } from "./controls.js";
import { h, put, write } from "./elements.js";
import { chip, matrixParts } from "./matrix.js";
import { dragState, SLACK } from "./pointer_drag.js";

const PX_A_STEP = 6; // of a sideways drag

/**
 * Matrices whose entries the reader sets: one is open, the others are strips; the bar below holds the range of the
 * selected entry at full width, − and +, and a number field. Tap selects, a sideways drag scrubs, arrows change,
 * Ctrl + arrows choose a neighbor. Each matrix is a grid, too, with one tab stop: there arrows choose a neighbor, + and
 * − change the entry, and Enter leads to its range. Every entry keeps its own input, named `key.i.j`; where a matrix
 * has `heads`, `key.h.i.j`, and buttons choose the head.
 *
 * Their names, and how far and in which steps their entries go, come from their traits.
 *
 * all       small matrices may stand open side by side, without strips
 * lent      inputs by name that stand elsewhere in the figure: an entry never has two
 * minimaps  for each matrix a small live copy of what its entries change, where that is far away; or one for all
 */
export function matrixEditor(fig, { matrices: given, values = (x, key) => x[key], all = false, ...more }) {
  const { lent = {}, minimaps = [] } = more;
  const matrices = given.map(({ key, role, rows, cols, heads, names }) => {
    const { label, min, max, step } = fig.control(key);
    return { key, role, rows, cols, heads, names, label, min, max, step };
  });
  const { min, max, step } = matrices[0];
  let open = 0;
  let spot = [0, 0, 0]; // the head, row and column that is selected
  const isLent = (input) => input.name in lent;
  const pathOf = (p, [k, i, j]) => (matrices[p].heads ? [k, i, j] : [i, j]);
  const read = (p, place) => at(fig.state()[matrices[p].key], pathOf(p, place));
  const send = (p, place, value, final) => {
    const { key } = matrices[p];
    fig.markInteracted([key]);
    fig.set({ [key]: withAt(fig.state()[key], pathOf(p, place), clamp(snap(value, step), min, max)) }, { final });
  };
  const select = (p, [k, i, j]) => {
    const { rows, cols, heads } = matrices[p];
    open = p;
    spot = [clamp(k, 0, heads ? heads.length - 1 : 0), clamp(i, 0, rows.length - 1), clamp(j, 0, cols.length - 1)];
    refresh();
  };

  /** Tap selects, a sideways drag changes the value; a vertical one still scrolls the page. */
  const scrub = (cell, p, place) => {
    let from = null;
    dragState(fig, cell, {
      scrolls: true,
      start(event) {
        from = { x: event.clientX, value: read(p, place), moved: false };
      },
      move(event) {
        const dx = event.clientX - from.x;
        if (!from.moved && Math.abs(dx) <= SLACK) return;
        if (!from.moved) select(p, place);
        from.moved = true;
        send(p, place, from.value + Math.round(dx / PX_A_STEP) * step, false);
      },
      end() {
        if (from.moved) fig.set({}, { final: true });
        else select(p, place);
      },
    });
  };

  /** A cell as a place that the keyboard reaches. */
  const reach = (cell, p, [k, i, j]) => {
    put(cell, "role", "gridcell");
    cell.addEventListener("focus", () => cell.matches(":focus-visible") && select(p, [k, i, j]));
    cell.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const change = { "+": 1, "=": 1, "-": -1, "−": -1 }[event.key];
      const last = matrices[p].cols.length - 1;
      const move = { ...ARROWS, Home: [0, -last], End: [0, last] }[event.key];
      if (!change && !move && event.key !== "Enter") return;
      event.preventDefault();
      if (event.key === "Enter") panels[p].inputs[k][i][j].focus();
      else if (change) nudge(change)({}); // Shift is part of a + on many keyboards
      else {
        select(p, [k, i + move[0], j + move[1]]);
        panels[p].cell(...spot).focus();
      }
    });
  };

  /** The range of an entry, or the one that stands elsewhere. */
  const inputOf = (p, [k, i, j]) => {
    const { key } = matrices[p];
    const name = [key, ...pathOf(p, [k, i, j])].join(".");
    const input = lent[name] ?? range({ name, min, max, step });
    input.addEventListener("keydown", (event) => {
      const move = ARROWS[event.key];
      if (!move || !event.ctrlKey || !el.checkVisibility()) return;
      event.preventDefault();
      select(p, [k, i + move[0], j + move[1]]);
      panels[p].inputs[spot[0]][spot[1]][spot[2]].focus();
    });
    if (isLent(input)) return input;
    onRange(input, (final) => send(p, [k, i, j], input.valueAsNumber, final));
    fig.add(() => {
      const value = read(p, [k, i, j]);
      if (input.valueAsNumber !== value) input.value = value;
      put(input, "aria-valuetext", number(value));
    });
    return input;
  };

  const panels = matrices.map((spec, p) => {
    const { key, role, rows, cols, label, heads } = spec;
    const view = matrixParts(fig, { ...spec, name: key, domain: max, values: (numbers) => values(numbers, key) });
    view.el.classList.add("abh-editable");
    const cell = (k, i, j) => view.cell(i, j, k);
    const called = (k) => [label, ...(heads ? [heads[k]] : [])];
    const inputs = (heads || [""]).map((_, k) =>
      matrixFrom(rows.length, cols.length, (i, j) => inputOf(p, [k, i, j])),
    );
    const each = (call) =>
      inputs.forEach((grid, k) => mapped(grid, (input, i, j) => call(input, cell(k, i, j), [k, i, j])));
    each((_, node, place) => {
      scrub(node, p, place);
      reach(node, p, place);
    });
    const labels = { rows: rows.slice(), cols: cols.slice() };
    let named = null;
    fig.add((numbers) => {
      Object.assign(labels, spec.names?.(numbers));
      const now = [labels.rows, labels.cols].join();
      if (now === named) return;
      named = now;
      each((input, _, [k, i, j]) => {
        if (!isLent(input)) put(input, "aria-label", [...called(k), labels.rows[i], labels.cols[j]].join(", "));
      });
    });
    inputs.forEach((_, k) => {
      const grid = cell(k, 0, 0).closest("table");
      put(grid, "role", "grid");
      put(grid, "aria-label", `${called(k).join(", ")}: arrow keys choose a number, Enter goes to its slider`);
      put(grid, "data-lm-suppress-shortcuts", "true");
    });
    fig.add(() =>
      each((_, node, [k, i, j]) =>
        put(node, "aria-label", `${labels.rows[i]}, ${labels.cols[j]}: ${number(read(p, [k, i, j]))}`),
      ),
    );
    const tab = h(
      `button.abh-tab.abh-role-${role}`,
      { type: "button", "data-action": `edit-${key}`, onclick: () => select(p, [spot[0], 0, 0]) },
      chip(label, `${rows.length} × ${cols.length}`, role),
    );
    return { view, cell, called, inputs, each, tab, labels };
  });
  const most = Math.max(0, ...matrices.map(({ heads }) => heads?.length ?? 0));
  const pickers = Array.from({ length: most }, (_, k) =>
    h("button.abh-tab.abh-role-ink", {
      type: "button",
      "data-action": `head-${k}`,
      onclick: () => select(open, [k, spot[1], spot[2]]),
    }),
  );

  const nudge = (direction) => (event) => send(open, spot, read(open, spot) + direction * step * step10(event), true);
  const key = (text, label, onclick) => h("button.abh-key", { type: "button", "aria-label": label, onclick }, text);
  const sign = key("±", "Change the sign", () => send(open, spot, -read(open, spot), true));
  const name = h("span.abh-label");
  const typed = { type: "number", inputmode: "decimal", min, max, step, "aria-label": "Exact value" };
  const exact = nativeInput("input.abh-field", typed);
  exact.addEventListener("change", () => {
    if (Number.isFinite(exact.valueAsNumber)) send(open, spot, exact.valueAsNumber, true);
    else fig.redraw();
  });
  const elsewhere = h("span.abh-label", "Its slider stands above the picture.");
  const ranges = panels.flatMap(({ inputs }) => inputs.flat(2).filter((input) => !isLent(input)));
  const bar = h(
    "div.abh-editor-bar",
    h("div.abh-editor-line", name, exact, sign),
    h(
      "div.abh-editor-line",
      key("−", "Less", nudge(-1)),
      h("span.abh-editor-ranges", elsewhere, ...ranges),
      key("+", "More", nudge(1)),
    ),
  );
  const tabs = { role: "group", "aria-label": "Which matrix is open" };
  const headTabs = h("div.abh-tabs", { role: "group", "aria-label": "Which head" }, ...pickers);
  const el = h(
    all ? "div.abh-matrix-editor.abh-matrix-editor-all" : "div.abh-matrix-editor",
    all ? null : h("div.abh-tabs", tabs, ...panels.map(({ tab }) => tab)),
    most ? headTabs : null,
    h("div.abh-editor", h("div.abh-panels", ...panels.map(({ view }) => view.el)), bar, ...minimaps),
  );

  const title = () => {
    const { called, labels } = panels[open];
    write(name, [...called(spot[0]), labels.rows[spot[1]], labels.cols[spot[2]]].join(" · "));
  };
  const refresh = () => {
    if (minimaps.length > 1)
      minimaps.forEach((minimap, p) => {
        minimap.hidden = p !== open;
      });
    panels.forEach(({ view, each, tab }, p) => {
      view.el.hidden = !all && p !== open;
      put(tab, "aria-pressed", p === open);
      view.boxes?.forEach((box, k) => box.classList.toggle("abh-other", k !== spot[0]));
      each((input, cell, place) => {
        const chosen = p === open && String(place) === String(spot);
        input.hidden = !chosen && !isLent(input);
        cell.classList.toggle("abh-selected", chosen);
        put(cell, "aria-selected", chosen);
        put(cell, "tabindex", (p === open ? chosen : !place.some(Boolean)) ? 0 : -1);
      });
    });
    const { heads, role } = matrices[open];
    headTabs.hidden = !heads;
    pickers.forEach((picker, k) => {
      write(picker, heads?.[k] ?? "");
      picker.hidden = !heads?.[k];
      put(picker, "aria-pressed", k === spot[0]);
    });
    elsewhere.hidden = !isLent(panels[open].inputs[spot[0]][spot[1]][spot[2]]);
    title();
    bar.className = `abh-editor-bar abh-role-${role}`;
    exact.value = read(open, spot);
  };
  fig.add(() => {
    const value = read(open, spot);
    if (exact !== document.activeElement || exact.valueAsNumber !== value) exact.value = value;
    title();
  });
  fig.onReset.push(() => select(0, [0, 0, 0]));
  refresh();
  return el;
}
