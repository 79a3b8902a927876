// Chapter 3. A row that was masked too late sums to what tells the hidden score. Twin: attn/explore/small/masking.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const SEEN = [1, 1, 0]; // the scores that `IS` may know
const sum = (values) => values.reduce((total, value) => total + value, 0);
const both = (hidden) => [
  sum(softmax([...SEEN, -Infinity]).slice(0, 3)),
  sum(softmax([...SEEN, hidden]).slice(0, 3)),
];
const STEPS = Array.from({ length: 101 }, (_, i) => -4 + i / 10);

const compute = ({ score }) => ({
  sum: [0, 1].map((line) => STEPS.map((hidden) => both(hidden)[line])),
  sum_now: both(score).map((total) => [total]),
});

const render = small({
  name: "RowSum",
  question: "Move the hidden word's score. Which of the two sums knows about it?",
  compute,
  tell: ({ sum_now: [, [after]] }) =>
    `Masked before, the row sums to 1. Masked after, to ${weightText(after)}: that number knows the hidden score.`,
});

export default { render, compute };
