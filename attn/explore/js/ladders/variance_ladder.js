// Chapter 2. Puzzles on one query, eight keys and a scale. What each asks:
// attn/explore/practice/ladders/qk_variance.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as variance } from "../variance.js";

export default ladder(variance, [
  (_, { scale, log2_d_k, temperature }) => scale === "none" && log2_d_k === 6 && temperature === 8,
  (x, state, first) =>
    state.scale === "none" &&
    state.log2_d_k === 10 &&
    asAtFirst(state, first, "seed", "correlation") &&
    x.largest_weight < 0.5,
  (x, state, first) =>
    state.scale === "root" &&
    state.log2_d_k === 10 &&
    asAtFirst(state, first, "seed", "temperature") &&
    x.weights[0][0] > 0.99,
  (x, { scale, temperature }) => scale === "root" && temperature === 1 && x.variance < 1 - 1e-9,
  (x, { scale, temperature, log2_d_k }) =>
    scale === "d_k" && temperature === 1 && log2_d_k > 0 && Math.abs(x.variance - 1) < 1e-9,
  (x, state, first) =>
    asAtFirst(state, first, "log2_d_k", "scale", "temperature", "correlation") &&
    Math.abs(x.sample_variance - x.variance) > x.sample_error,
  (x) => x.entropy > Math.log(8) + 1e-9,
]);
