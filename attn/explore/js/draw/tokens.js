// Words that belong together light up together, in every matrix of a figure.
import { h, put, write } from "./elements.js";

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
export function tokenLights(fig, { key, count, names, ...more }) {
  const { label } = fig.control(key, [], more);
  const buttons = Array.from({ length: count }, (_, t) =>
    h("button.abh-tab.abh-role-ink", {
      type: "button",
      "data-action": `${key}-${t}`,
      onclick: () => fig.set({ [key]: fig.state()[key] === t ? -1 : t }, { final: true }),
    }),
  );
  const el = h("div.abh-row", { role: "group", "aria-label": label }, h("span.abh-label", label), ...buttons);
  let [lit, shown] = [-1, ""];
  const light = (token) => {
    for (const cell of fig.root.querySelectorAll(".abh-lit")) cell.classList.remove("abh-lit");
    if (token < 0) return;
    for (const [axis, other] of [
      ["row", "rows"],
      ["col", "cols"],
    ]) {
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
  return el;
}

/** Keep one row outlined in each of some matrices: index(state) is the row of the token that the reader chose. */
export function markRow(fig, matrices, index) {
  fig.add((_, state) => {
    const chosen = index(state);
    for (const el of matrices)
      [...el.querySelector("tbody").rows].forEach((row, i) => row.classList.toggle("abh-chosen", i === chosen));
  });
}
