// Chapter 4. Puzzles on two heads and their faders. What each asks: attn/explore/practice/ladders/multihead.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as heads } from "../multihead.js";

const [THE, CAT, SAT] = [0, 1, 2];
const TOKENS = ["tokens", "x", "n_tokens", "scaled"];
const NUMBERS = ["w_q", "w_k", "w_v", "w_o"];

/** Nothing was changed but W_Q and W_K of one head, and faders. */
const but = (state, first, head) =>
  asAtFirst(state, first, ...TOKENS, "w_v", "w_o") &&
  ["w_q", "w_k"].every((name) => String(state[name][1 - head]) === String(first[name][1 - head]));
const none = (matrices, least) => matrices.flat(2).every((value) => Math.abs(value) < least);

export default ladder(heads, [
  ({ output }, state, first) =>
    asAtFirst(state, first, ...TOKENS, ...NUMBERS) && output[SAT][CAT] > 0.9 && output[SAT][THE] < -0.9,
  ({ shares }, state, first) =>
    asAtFirst(state, first, ...TOKENS) &&
    state.faders.every((fader) => fader === 1) &&
    NUMBERS.every((name) => String(state[name][1]) === String(first[name][1])) &&
    none(shares[0], 0.005),
  ({ weights }, state, first) => but(state, first, 1) && weights[1].every((row, i) => row[i] > 0.5),
  ({ output }, state, first) =>
    asAtFirst(state, first, "tokens", "x", "w_v", "w_o") &&
    Math.min(...state.faders) >= 0 &&
    Math.min(...output.flat()) < -1e-9,
  ({ output }, state, first) =>
    asAtFirst(state, first, ...TOKENS, "w_v", "w_o") && String(state.faders) === "1,-1" && none(output, 0.005),
  ({ weights: [head] }, state, first) => but(state, first, 0) && Math.min(head[THE][CAT], head[CAT][SAT]) > 0.9,
  ({ weights: [head] }, state, first) =>
    asAtFirst(state, first, "tokens", "x", "w_q") && head[THE].some((p, j) => Math.abs(p - head[CAT][j]) > 0.005),
]);
