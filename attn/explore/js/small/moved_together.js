// Turned positions. Both words move on, in three programs. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, dot, turnOf, turnPairs } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [SPAN, APART] = [20, 3];
const Q = [0, -2, 1, 2, 1, -2, -2, 1];
const K = [-2, -2, 0, -1, -1, 0, -1, 1];
const CLOCKS = angularFrequencies(Q.length, 10000);

const turned = (x, place, layout) =>
  turnPairs(
    x,
    CLOCKS.map((omega) => turnOf(omega * place)),
    layout,
  );
const score = (first, layout, way = 1) =>
  dot(turned(Q, way * (first + APART), layout), turned(K, way * first, layout));
const scores = (first) => [score(first, "halves"), score(first, "mixed"), score(first, "neighbors", -1)];
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
