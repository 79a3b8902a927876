// Chapter 8. Puzzles on two clocks and a score. What each asks: attn/explore/practice/ladders/rotary_positions.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as rotary } from "../rotary.js";

const NEIGHBOR = 2;
const RIGHT = [-1, -1, 3, -2];

/** Neither the query nor a key was changed. */
const words = (state, first) => asAtFirst(state, first, "q", "k");
/** Both clocks run, and each pair turns by one angle. */
const turning = ({ pairs, fixed }) => pairs === "neighbors" && !fixed;
const inPlace = ({ query_at }) => query_at === "own";
/** All four words have the key that `very` had at first. */
const alike = (state, first) => state.k.every((key) => String(key) === String(first.k[0]));
const spread = (values) => Math.max(...values) - Math.min(...values);

export default ladder(rotary, [
  (x, state, first) =>
    words(state, first) && state.pairs === "mixed" && inPlace(state) && !state.fixed && Math.abs(x.score - 3) < 1e-9,
  (x, state, first) => words(state, first) && turning(state) && inPlace(state) && Math.abs(x.score - 3) >= 0.01,
  (x, state, first) =>
    words(state, first) &&
    turning(state) &&
    state.query_at === "zero" &&
    x.scores[0].every((score, j) => Math.abs(score - RIGHT[j]) < 1e-9),
  (x, state, first) => asAtFirst(state, first, "k") && turning(state) && inPlace(state) && x.weights[0][0] > 0.7,
  (x, state, first) =>
    alike(state, first) &&
    turning(state) &&
    inPlace(state) &&
    spread(x.weights[0]) < 0.005 &&
    Math.hypot(...state.q[0]) >= 2 - 1e-9,
  ({ weights: [row] }, state, first) =>
    alike(state, first) &&
    turning(state) &&
    inPlace(state) &&
    row[NEIGHBOR] < 0.05 &&
    spread(row.filter((_, j) => j !== NEIGHBOR)) < 0.005,
  (x, state) => turning(state) && inPlace(state) && Math.min(...x.leads[0]) > 0.1 + 1e-9,
  (x, state, first) =>
    asAtFirst(state, first, "k") &&
    state.pairs === "neighbors" &&
    state.fixed &&
    inPlace(state) &&
    Math.min(...x.leads[0]) > 0.1 + 1e-9,
]);
