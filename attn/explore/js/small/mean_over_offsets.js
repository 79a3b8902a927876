// Turned positions. A score's mean over the offsets, and its bound. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, dot, sumOf, turnOf, turnPairs } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [FEWEST, MOST] = [16, 256];
const CLOCKS = angularFrequencies(4, 100);
const BIG = [-1, 0, 0, -2];
const VERY = [1, 0, 1, 0];

const score = (offset) =>
  dot(
    BIG,
    turnPairs(
      VERY,
      CLOCKS.map((omega) => turnOf(omega * offset)),
    ),
  );
const LENGTHS = CLOCKS.map(
  (_, i) => Math.hypot(BIG[2 * i], BIG[2 * i + 1]) * Math.hypot(VERY[2 * i], VERY[2 * i + 1]),
);
const ALLOWED = sumOf(CLOCKS.map((omega, i) => LENGTHS[i] / Math.abs(Math.sin(omega / 2))));

const MEANS = [];
for (let n = 1, sum = 0; n <= MOST; n += 1) {
  sum += score(n - 1);
  MEANS.push([ALLOWED / n, sum / n, -ALLOWED / n]);
}
const LINES = [0, 1, 2].map((line) => MEANS.slice(FEWEST - 1).map((values) => values[line]));

const compute = ({ offsets }) => ({ mean: LINES, mean_now: MEANS[offsets - 1].map((value) => [value]) });

const render = small({
  name: "MeanOverOffsets",
  question: "Average one score over more and more offsets. What is left of it?",
  compute,
  tell: ({ mean_now: [[bound], [mean]] }, { offsets }) =>
    `${offsets} offsets: the mean is ${number(mean)}, and the bound keeps it within ${number(bound)} of 0.`,
});

export default { render, compute };
