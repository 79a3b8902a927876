// Chapter 1. Without positions attention gives a word the same in any order. Python twin:
// attn/explore/small/positional_encoding.py.
import { matmul, scaledScores, sinusoidalEncoding, softmax } from "../core.js";
import { small } from "../draw/small.js";

const WORDS = [
  [0.3, 0.8, 0.3, -1.3],
  [0.9, 0.4, -0.5, 0.6],
  [0.4, 0.3, 0.0, 0.5],
];
const PLACES = sinusoidalEncoding(3, 4, 10000);

const attended = (words, added) => {
  const x = words.map((row, i) => row.map((value, j) => value + (added === "position" ? PLACES[i][j] : 0)));
  return matmul(scaledScores(x, x).map(softmax), x);
};

const compute = ({ added }) => ({
  bites: [attended(WORDS, added)[0]],
  bitten: [attended(WORDS.toReversed(), added)[2]],
});

const render = small({
  name: "OrderSeen",
  question: "Does `dog` come out differently when it is bitten?",
  compute,
  tell: (_, { added }) =>
    added === "nothing"
      ? "The same four numbers, whether `dog` bites or is bitten."
      : "Now `dog` comes out differently: its place is in its numbers.",
});

export default { render, compute };
