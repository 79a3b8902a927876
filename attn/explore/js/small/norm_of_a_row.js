// Complete the pattern: a row that is normalized with n and with n − 1. Python twin: attn/explore/small/induction.py.
import { layerNorm, sumOf } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const withLess = (row) => {
  const mean = sumOf(row) / row.length;
  const spread = Math.sqrt(sumOf(row.map((value) => (value - mean) ** 2)) / (row.length - 1));
  return row.map((value) => (value - mean) / (spread + 1e-6));
};
const square = (row) => [[sumOf(row.map((value) => value * value)) / row.length]];

const compute = ({ second }) => {
  const row = [1, second, 0, 0];
  const [all, less] = [layerNorm(row), withLess(row)];
  return { all: [all], less: [less], square: square(all), square_less: square(less) };
};

const render = small({
  name: "NormOfARow",
  question: "Change the row. What stays, however you drag?",
  compute,
  tell: ({ all: [all], less: [less], square: [[one]], square_less: [[other]] }) =>
    `The first number becomes ${number(all[0])} and ${number(less[0])}. ` +
    `The mean squares stay at ${number(one)} and ${number(other)}.`,
});

export default { render, compute };
