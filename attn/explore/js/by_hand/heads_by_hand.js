// Chapter 4, by hand: two heads, one output. Python twins: attn/explore/practice/by_hand/multihead.py,
// attn/practice/mistakes/multihead.py.
import { mapped, matmul, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

/** Row h: the weights of head h times the values of head h. */
const each = (weights, ...values) => weights.map((row, h) => matmul([row], values[h])[0]);
const sum = ([one, two]) => one.map((value, j) => value + two[j]);

export default byHand("HeadsByHand", {
  weights: {
    right: ({ looks }) => mapped(looks, (value, h) => value / sumOf(looks[h])),
    mistakes: {
      undivided: ({ looks }) => looks,
      "both-heads": ({ looks }) => mapped(looks, (value) => value / sumOf(looks.flat())),
      "all-words": ({ looks }) => mapped(looks, (value, h) => value / looks[h].length),
    },
  },
  heads: {
    right: ({ weights, values_1, values_2 }) => each(weights, values_1, values_2),
    mistakes: {
      sum: ({ looks, values_1, values_2 }) => each(looks, values_1, values_2),
      "one-set": ({ weights, values_1 }) => each(weights, values_1, values_1),
      crossed: ({ weights, values_1, values_2 }) => each(weights, values_2, values_1),
    },
  },
  side_by_side: {
    right: ({ heads: [one, two] }) => [[...one, ...two]],
    mistakes: {
      dealt: ({ heads: [one, two] }) => [one.flatMap((value, j) => [value, two[j]])],
      reversed: ({ heads: [one, two] }) => [[...two, ...one]],
      averaged: ({ heads }) => {
        const mean = sum(heads).map((value) => value / 2);
        return [[...mean, ...mean]];
      },
    },
  },
  output: {
    right: ({ side_by_side, w_o }) => matmul(side_by_side, w_o),
    mistakes: {
      "first-rows": ({ heads, w_o }) => matmul([sum(heads)], w_o.slice(0, 2)),
      averaged: ({ side_by_side, w_o }) => mapped(matmul(side_by_side, w_o), (value) => value / 2),
      "dealt-rows": ({ heads, w_o }) => [sum(heads.map((head, h) => matmul([head], [w_o[h], w_o[h + 2]])[0]))],
      "one-head": ({ heads, w_o }) => matmul(heads.slice(0, 1), w_o.slice(0, 2)),
    },
  },
});
