// Words that belong together light up together, in every matrix of a figure.

const PAIRS = ["weights", "scores", "masked_scores"]; // rows are queries, columns keys

/** What the rows of a matrix are; those of a weight matrix are no tokens. */
const rowsAre = (name) => (name?.startsWith("w_") ? "" : name === "k" || name === "v" ? "key" : "query");

/** Outline, in every matrix of the figure, the query and the key of the cell that is pointed at or focused. */
export function linkTokens(fig) {
  const mark = (event) => {
    const cell = event.target.closest?.("td[data-row]");
    const on = event.type === "pointerover" || event.type === "focusin";
    for (const old of fig.root.querySelectorAll(".abh-linked")) old.classList.remove("abh-linked");
    const name = cell?.closest("[data-matrix]")?.dataset.matrix;
    if (!cell || !on || !rowsAre(name)) return;
    const at = { [rowsAre(name)]: Number(cell.dataset.row) };
    if (PAIRS.includes(name)) at.key = Number(cell.dataset.col);
    for (const el of fig.root.querySelectorAll("[data-matrix]")) {
      const row = at[rowsAre(el.dataset.matrix)];
      if (row !== undefined) {
        for (const body of el.querySelectorAll("tbody")) body.rows[row]?.classList.add("abh-linked"); // one a head
      }
      if (at.key !== undefined && PAIRS.includes(el.dataset.matrix)) {
        for (const td of el.querySelectorAll(`td[data-col="${at.key}"]`)) td.classList.add("abh-linked");
      }
    }
  };
  for (const type of ["pointerover", "pointerleave", "focusin", "focusout"]) fig.root.addEventListener(type, mark);
}

/** Keep one row outlined in each of some matrices: index(state) is the row of the token that the reader chose. */
export function markRow(fig, matrices, index) {
  fig.add((_, state) => {
    const chosen = index(state);
    for (const el of matrices)
      [...el.querySelector("tbody").rows].forEach((row, i) => row.classList.toggle("abh-chosen", i === chosen));
  });
}
