// Chapter 9. Puzzles on two layers that complete a pattern. What each asks:
// attn/explore/practice/ladders/induction_heads.py.
import { asAtFirst, ladder, scoreOf } from "../draw/ladder.js";
import { default as induction } from "../induction.js";

const WORDS = ["first", "second", "third", "fourth", "last"];
const PARTS = ["layer_1", "layer_2", "residual_1", "residual_2", "causal", "bos", "places"];
const ZERO = 3;

/** All is as at first but for what may be moved, the words, and what is open. */
const plain = (state, first, ...moved) =>
  asAtFirst(state, first, ...Object.keys(first).filter((name) => ![...moved, ...WORDS, "opened"].includes(name)));
/** All seven parts are there, and no LayerNorm. */
const whole = (state) => state.norm === "none" && PARTS.every((part) => state[part]);
const all = (x) => x.right_of_16 === 16;
/** By how much `0` is ahead of all other words. */
const later = ({ answer: [logits] }) => logits[ZERO] - Math.max(...logits.filter((_, word) => word !== ZERO));

export default ladder(induction, [
  (x, state, first) => plain(state, first, "turn") && asAtFirst(state, first, ...WORDS) && x.says === "0",
  (x, state, first) =>
    state.beta_1 + state.beta_2 <= 5 + 1e-9 && plain(state, first, "turn", "beta_1", "beta_2") && all(x),
  (x, state) => !state.places && !state.causal && x.right_of_16 >= 13,
  (x, state) => state.lane === "token" && whole(state) && all(x),
  (x, state) => !state.bos && whole({ ...state, bos: true }) && all(x),
  (x, state) => WORDS.map((name) => state[name]).join("") === "A1A0A" && whole(state) && later(x) >= 0.5 && all(x),
  (x, state, first) => scoreOf(["size", "copy", "match", "say"], state, first) <= 1 + 1e-9 && all(x),
  (x, state) => state.layer_1 !== state.layer_2 && x.right_of_16 >= 15,
]);
