// Chapter 4. Heads add up, each by its own block of W_O. Python twin: attn/explore/small/multihead.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const SCORE = 36 / Math.sqrt(3); // queries and keys have entries of 6
const [HEAD_1, HEAD_2] = [
  [0, SCORE, 0],
  [SCORE, 0, 0],
].map(softmax);

const compute = ({ entry }) => {
  const shares = [
    [...HEAD_1, 0],
    [...HEAD_2, entry * HEAD_2[0]],
  ];
  return { shares: [...shares, shares[0].map((value, i) => value + shares[1][i])] };
};

const render = small({
  name: "AddedShares",
  question: "Only head 2's rows of W_O change. Which of these numbers move?",
  compute,
  tell: ({ shares: [, two, sum] }) =>
    `Head 2 adds ${number(two[3])} at \`up\`, where head 1 adds nothing: the sum is ${number(sum[3])}. All else stays.`,
});

export default { render, compute };
