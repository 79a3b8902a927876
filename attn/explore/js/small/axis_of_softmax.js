// Chapter 0. The softmax along either axis, and the sums of the rows. Python twin: attn/explore/small/attention.py.
import { scaledScores, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [Q, K] = [
  [
    [1, 0],
    [-1, 2],
    [2, 0],
  ],
  [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
];
const turned = (table) => table[0].map((_, j) => table.map((row) => row[j]));

const compute = ({ axis }) => {
  const scores = scaledScores(Q, K);
  const weights = axis === "rows" ? scores.map(softmax) : turned(turned(scores).map(softmax));
  return { weights, sums: [weights.map((row) => row.reduce((sum, weight) => sum + weight, 0))] };
};

const render = small({
  name: "AxisOfSoftmax",
  question: "Along which axis do the weights of each word sum to one?",
  compute,
  tell: ({ sums: [[, , sat]] }, { axis }) =>
    axis === "rows"
      ? "Each row sums to one: an average for each word."
      : `Each column sums to one. The row of \`sat\` sums to ${number(sat)}: no average.`,
});

export default { render, compute };
