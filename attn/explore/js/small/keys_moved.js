// Chapter 0. The same vector added to all keys changes no weight. Python twin: attn/explore/small/attention.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [QUERY, KEYS, MOVE] = [
  [2, 0],
  [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  [3, -2],
];

const compute = ({ times }) => {
  const scores = KEYS.map((key) =>
    key.reduce((sum, x, c) => sum + (QUERY[c] * (x + times * MOVE[c])) / Math.SQRT2, 0),
  );
  return { scores: [scores], weights: [softmax(scores)] };
};

const render = small({
  name: "KeysMoved",
  question: "Add the same vector to all three keys. Which of the two pictures moves?",
  compute,
  tell: ({ scores: [[the]] }, { times }) =>
    times === 0
      ? "Nothing is added: the scores and weights of the table above."
      : `All three scores moved by ${number(the)}, so their differences are as before, and so are the weights.`,
});

export default { render, compute };
