// Chapter 5. Puzzles on the two-token network. What each asks: attn/explore/practice/ladders/xor_by_attention.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as xorLab } from "../xor.js";

const SHAPES = ["w_q", "w_k", "w_v", "queries", "w_o_2", "positions", "w_1", "w_2"];
const HELPS = ["second_head", "position", "position_in_scores", "residual", "ffn"];

/** These switches are on and no others, and it is read in this way. */
const only = (state, helps, read = "decoder") =>
  state.read === read && HELPS.every((name) => state[name] === helps.includes(name));
const solved = ({ margin }, least = 1) => margin >= least - 1e-9;

export default ladder(xorLab, [
  (x, state, first) => asAtFirst(state, first, ...SHAPES, ...HELPS, "length", "bias", "read") && x.accuracy === 0.75,
  (x, state) => !HELPS.some((name) => state[name]) && x.accuracy === 1,
  (x, state) => only(state, ["second_head"]) && solved(x),
  (x, state) =>
    state.position_in_scores &&
    !HELPS.some((name) => name !== "position_in_scores" && state[name]) &&
    x.accuracy === 1,
  (x, state) => only(state, ["position"], "row 1") && solved(x),
  (x, state) => only(state, ["residual"], "mean") && solved(x, 0.7),
  (x, state) => only(state, ["residual"], "row 1") && x.accuracy === 1,
  (x, state) => only(state, ["ffn"]) && solved(x),
]);
