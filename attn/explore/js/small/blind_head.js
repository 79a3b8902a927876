// Chapter 4. A head that got whole tokens. Python twin: attn/explore/small/multihead.py.
import { scaledScores, softmax } from "../core.js";
import { small } from "../draw/small.js";

// Queries and keys of `the cat sat up`: three numbers for head 1, three for head 2.
const Q = [
  [3, 0, 0, 3, 0, 0],
  [3, 0, 0, 3, 0, 0],
  [0, 3, 0, 3, 0, 0],
  [0, 0, 3, 3, 0, 0],
];
const K = [
  [3, 0, 0, 3, 0, 0],
  [0, 3, 0, 0, 0, 0],
  [0, 0, 3, 0, 0, 0],
  [0, 0, 0, 0, 0, 0],
];
const SPLIT = {
  both: (rows) => rows.map((row) => row.slice(0, 3)),
  alone: (rows) => [0, 3, 6, 9].map((start) => rows.flat().slice(start, start + 3)),
};

const compute = ({ way }) => ({ weights: scaledScores(...[Q, K].map(SPLIT[way])).map(softmax) });

const render = small({
  name: "BlindHead",
  question: "Which of the two tables shows a head that looks at the word before?",
  compute,
  tell: (_, { way }) =>
    way === "both"
      ? "Each word looks at the one before it, and `the` at itself: that is head 1."
      : "Shapes fit and rows sum to one. But all four rows are the same: this is not head 1.",
});

export default { render, compute };
