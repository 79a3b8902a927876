// Turned positions. Weights of one layout in the code of another. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, dot, turnOf, turnPairs } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const SPAN = 20;
const Q = [0, -2, 1, 2, 1, -2, -2, 1];
const K = [-2, -2, 0, -1, -1, 0, -1, 1];
const CLOCKS = angularFrequencies(Q.length, 10000);

/** For code that pairs halves: the first numbers of all pairs, then the second ones. */
const reordered = (x) => [0, 1].flatMap((place) => CLOCKS.map((_, i) => x[2 * i + place]));
const PROGRAMS = [
  [Q, K, "neighbors"],
  [Q, K, "halves"],
  [reordered(Q), reordered(K), "halves"],
];
const scores = (back) => {
  const turns = CLOCKS.map((omega) => turnOf(-omega * back));
  return PROGRAMS.map(([q, k, layout]) => dot(q, turnPairs(k, turns, layout)));
};
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
