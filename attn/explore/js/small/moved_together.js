// Turned positions. Both words move on, in three programs. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, dot } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [SPAN, APART] = [20, 3];
const Q = [0, -2, 1, 2, 1, -2, -2, 1];
const K = [-2, -2, 0, -1, -1, 0, -1, 1];
const CLOCKS = angularFrequencies(Q.length, 10000);
const HALF = CLOCKS.length;

/** What stands beside each number in its pair, with the sign of a quarter turn, and the clock of each number. */
const NEIGHBORS = { beside: (x) => x.map((_, i) => (i % 2 ? x[i - 1] : -x[i + 1])), clock: (i) => i >> 1 };
const HALVES = { beside: (x) => x.map((_, i) => (i < HALF ? -x[i + HALF] : x[i - HALF])), clock: (i) => i % HALF };
const TWO_ANGLES = { beside: NEIGHBORS.beside, clock: HALVES.clock };

const turned = (x, place, { beside, clock }) => {
  const partner = beside(x);
  return x.map((value, i) => {
    const angle = CLOCKS[clock(i)] * place;
    return value * Math.cos(angle) + partner[i] * Math.sin(angle);
  });
};
const score = (first, code, way = 1) => dot(turned(Q, way * (first + APART), code), turned(K, way * first, code));
const scores = (first) => [score(first, HALVES), score(first, TWO_ANGLES), score(first, NEIGHBORS, -1)];
const STEPS = Array.from({ length: 4 * SPAN + 1 }, (_, i) => scores(i / 4));
const LINES = [0, 1, 2].map((line) => STEPS.map((values) => values[line]));

const compute = ({ start }) => ({ score: LINES, score_now: scores(start).map((value) => [value]) });

const render = small({
  name: "MovedTogether",
  question: "Both words move on, three apart as before. In which program does their score move?",
  compute,
  tell: ({ score_now: [[halves], [mixed], [back]] }) =>
    `Halves: ${number(halves)}. The other way: ${number(back)}. Both are as at first. Mixed up: ${number(mixed)}.`,
});

export default { render, compute };
