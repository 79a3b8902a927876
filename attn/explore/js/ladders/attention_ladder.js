// Chapter 0. Puzzles on queries, keys and values. What each asks: attn/explore/practice/ladders/attention.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as selfAttention } from "../self_attention.js";

const [THE, CAT, SAT] = [0, 1, 2];
const NEAR = 0.05; // how near to the origin is "at" it

/** Nothing but the query of `sat` was moved. */
const asking = (state, first) =>
  asAtFirst(state, first, "k", "v") && String(state.q.slice(0, SAT)) === String(first.q.slice(0, SAT));
const largest = (row) => Math.max(...row.map(Math.abs));

export default ladder(selfAttention, [
  (x, state, first) => asking(state, first) && x.weights[SAT][CAT] > 0.95,
  (x, state, first) => asking(state, first) && largest(x.q[SAT]) <= 2 && x.weights[SAT][CAT] > 0.9,
  ({ weights }, state, first) =>
    asAtFirst(state, first, "k", "v") && Math.min(weights[THE][CAT], weights[CAT][SAT], weights[SAT][THE]) > 0.9,
  (x, state, first) => asking(state, first) && largest(x.output[SAT]) <= NEAR,
  (x, state, first) => asAtFirst(state, first, "v") && x.output[SAT][0] > 2 + 1e-9,
  (x, state, first) =>
    asAtFirst(state, first, "q", "v") &&
    Math.max(...x.weights[SAT]) - Math.min(...x.weights[SAT]) < 0.005 &&
    new Set(state.k.map(String)).size === 3,
  ({ weights }, state) =>
    String(state.q) === String(state.k) &&
    weights.every((row, i) => row.some((other, j) => j !== i && other > row[i] + 1e-9)),
]);
