// Turned positions. Weights of one layout in the code of another. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, dot } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const SPAN = 20;
const Q = [0, -2, 1, 2, 1, -2, -2, 1];
const K = [-2, -2, 0, -1, -1, 0, -1, 1];
const CLOCKS = angularFrequencies(Q.length, 10000);
const HALF = CLOCKS.length;

const neighbors = (i) => [2 * i, 2 * i + 1];
const halves = (i) => [i, i + HALF];
/** For code that pairs halves: the first numbers of all pairs, then the second ones. */
const reordered = (x) => [0, 1].flatMap((place) => CLOCKS.map((_, i) => x[neighbors(i)[place]]));

const turned = (x, place, pairOf) => {
  const found = x.slice();
  CLOCKS.forEach((omega, i) => {
    const [a, b] = pairOf(i);
    const [cos, sin] = [Math.cos(omega * place), Math.sin(omega * place)];
    found[a] = x[a] * cos - x[b] * sin;
    found[b] = x[a] * sin + x[b] * cos;
  });
  return found;
};
const PROGRAMS = [
  [Q, K, neighbors],
  [Q, K, halves],
  [reordered(Q), reordered(K), halves],
];
const scores = (back) => PROGRAMS.map(([q, k, pairOf]) => dot(q, turned(k, -back, pairOf)));
const STEPS = Array.from({ length: 4 * SPAN + 1 }, (_, i) => scores(i / 4));
const LINES = PROGRAMS.map((_, line) => STEPS.map((values) => values[line]));

const compute = ({ back }) => ({ score: LINES, score_now: scores(back).map((value) => [value]) });

const render = small({
  name: "LoadedWeights",
  question: "Trained with neighbors as pairs, loaded into code that pairs halves. Are the scores those of training?",
  compute,
  tell: ({ score_now: [[trained], [loaded]] }, { back }) =>
    `${back} back: ${number(trained)} in training, ${number(loaded)} as loaded. Reordered columns give what training ` +
    "gave.",
});

export default { render, compute };
