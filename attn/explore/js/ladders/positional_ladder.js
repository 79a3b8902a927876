// Chapter 1. Puzzles on two positions and their clocks. What each asks:
// attn/explore/practice/ladders/positional_encoding.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as positional } from "../positional.js";

const settings = ({ exponent, d_model, base }, wanted, width = 4) =>
  exponent === wanted && d_model === width && base === 10000;
/** The first position stays where it was, with four numbers in each encoding. */
const clocks = (state, first) => asAtFirst(state, first, "position") && settings(state, "paper");

export default ladder(positional, [
  (x, state, first) => clocks(state, first) && state.offset > 0 && x.dot > 1.96,
  (x, state, first) => clocks(state, first) && x.dot < -0.06,
  (x, state) =>
    settings(state, "paper") && state.offset === 3 && Math.abs(x.dot - Math.cos(3) - Math.cos(0.03)) >= 0.01,
  (x, state) => settings(state, "doubled") && state.offset === 3 && x.dot < 0.75,
  (x, state) => state.exponent === "paper" && state.offset > 0 && x.dot > x.squared_length + 1e-9,
  (x, state) => settings(state, "doubled", 8) && state.offset === 3 && x.dot > x.squared_length + 0.01,
]);
