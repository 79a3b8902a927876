// Chapter 6, by hand: back through a softmax. Python twins: attn/explore/practice/by_hand/learning_xor.py,
// attn/practice/mistakes/learning.py.
import { dot, mapped, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const mean = (row) => sumOf(row) / row.length;
const times = (one, other) => mapped(one, (value, i, j) => value * other[i][j]);

export default byHand("GradientByHand", {
  average: {
    right: ({ p, d_p }) => [[dot(p[0], d_p[0])]],
    mistakes: {
      "plain-mean": ({ d_p }) => [[mean(d_p[0])]],
      sum: ({ d_p }) => [[sumOf(d_p[0])]],
      numbers: ({ p, x }) => [[dot(p[0], x[0])]],
    },
  },
  apart: {
    right: ({ d_p, average }) => mapped(d_p, (value) => value - average[0][0]),
    mistakes: {
      added: ({ d_p, average }) => mapped(d_p, (value) => value + average[0][0]),
      turned: ({ d_p, average }) => mapped(d_p, (value) => average[0][0] - value),
      "plain-mean": ({ d_p }) => mapped(d_p, (value) => value - mean(d_p[0])),
    },
  },
  d_s: {
    right: ({ p, apart }) => times(p, apart),
    mistakes: {
      "no-weight": ({ d_p, average }) => mapped(d_p, (value) => value - average[0][0]),
      "no-average": ({ p, d_p }) => times(p, d_p),
      "own-alone": ({ p, d_p }) => mapped(p, (value, i, j) => value * (1 - value) * d_p[i][j]),
    },
  },
  d_q: {
    right: ({ x, d_s }) => [[dot(x[0], d_s[0])]],
    mistakes: {
      "no-key": ({ d_s }) => [[sumOf(d_s[0])]],
      "of-weights": ({ x, d_p }) => [[dot(x[0], d_p[0])]],
      mean: ({ x, d_s }) => [[dot(x[0], d_s[0]) / x[0].length]],
    },
  },
});
