// Chapter 4. Which entry of W_Q closes the gap. Python twin: attn/explore/small/multihead.py.
import { dot, matmul, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number, weightText } from "../number.js";

// Head 1 of source 003, and its two tokens, encoded with its own doubled exponent.
const X = [0, 1].map((position) =>
  [1, 2, 3, 4].map((embedded, i) => {
    const angle = position * 10000 ** ((-2 * i) / 4);
    return embedded + position + (i % 2 ? Math.cos(angle) : Math.sin(angle));
  }),
);
const W_Q = [
  [0, 0, 0],
  [1, 1, 0],
  [0, 0, 1],
  [1, 0, 0],
];
const W_K = [
  [1, 0, 1],
  [0, 1, 0],
  [1, 0, 1],
  [0, 1, 0],
];
const [[QUERY], KEYS] = [matmul(X, W_Q), matmul(X, W_K)];
const STEPS = Array.from({ length: 121 }, (_, i) => i / 40);

const scores = (down, row) => {
  const query = [QUERY[0] - down * X[0][row], QUERY[1], QUERY[2]];
  return KEYS.map((key) => dot(query, key) / Math.sqrt(3));
};
const weight = (down, row) => softmax(scores(down, row))[1];
const gap = ([own, world]) => world - own;

const compute = ({ down }) => ({
  weight: [3, 0].map((row) => STEPS.map((step) => weight(step, row))),
  weight_now: [3, 0].map((row) => [weight(down, row)]),
  gap: [3, 0].map((row) => [gap(scores(down, row))]),
});

const render = small({
  name: "StuckEntry",
  question: "Take from an entry in row 4, or from one in row 1. Which moves the weight?",
  compute,
  tell: ({ weight_now: [[four], [one]], gap: [[near], [far]] }) =>
    `Row 4: a gap of ${number(near)}, so \`World\` has ${weightText(four)}. ` +
    `Row 1: ${number(far)}, so ${weightText(one)}.`,
});

export default { render, compute };
