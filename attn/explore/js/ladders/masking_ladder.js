// Chapter 3. Puzzles on four words and a mask. What each asks: attn/explore/practice/ladders/masking.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as masking } from "../masking.js";

const [MY, NAME, IS, ABIR] = [0, 1, 2, 3];

/** No word was changed. */
const words = (state, first) => asAtFirst(state, first, "q", "k", "v", "nudge");
const apart = (rows) =>
  Math.max(...rows[0].map((_, c) => Math.max(...rows.map((row) => Math.abs(row[c] - rows[0][c])))));
const largest = (...matrices) => Math.max(...matrices.flat(2).map(Math.abs));

export default ladder(masking, [
  (x, state, first) =>
    words(state, first) &&
    state.order === "before" &&
    x.weights[IS].every((p, j) => Math.abs(p - Number(j === NAME)) < 0.001),
  (x, state, first) =>
    words(state, first) &&
    state.order === "before" &&
    !["causal", "custom"].includes(state.preset) &&
    x.mask.every((row, i) => row.every((see, j) => see === j <= i)),
  ({ output }, state, first) => words(state, first) && apart(output) < 1e-9 && largest(output) > 0.01,
  (x, state, first) =>
    words(state, first) &&
    state.preset === "custom" &&
    x.hidden[IS].every(Boolean) &&
    x.weights[IS].every((p) => Math.abs(p - 0.25) < 1e-6),
  (x, state, first) =>
    asAtFirst(state, first, "q", "v", "nudge") &&
    String(state.k.slice(0, ABIR)) === String(first.k.slice(0, ABIR)) &&
    state.preset === "none" &&
    x.weights.every((row) => row[ABIR] < 0.02),
  (x, state) => state.preset === "none" && largest(state.q, state.k, state.v) <= 3 && x.weights.flat().includes(0),
  (x, state, first) =>
    asAtFirst(state, first, "q", "k", "v") &&
    state.preset === "causal" &&
    state.order === "after" &&
    x.moved[MY][0] > 0.35,
  (x, state) => state.preset === "causal" && state.order === "before" && x.moved[MY][0] > 1e-9,
]);
