// Chapter 2, by hand: the variance of a score. Python twins: attn/explore/practice/by_hand/qk_variance.py,
// attn/practice/mistakes/variance.py.
import { mapped } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const square = (rows) => mapped(rows, (value) => value ** 2);
/** One matrix times d_k to a power. */
const by = (rows, d_k, power) => mapped(rows, (value, i, j) => value * d_k[i][j] ** power);

export default byHand("VarianceByHand", {
  product: {
    right: ({ a, b }) => mapped(a, (value, i, j) => (value * b[i][j]) ** 2),
    mistakes: {
      deviation: ({ a, b }) => mapped(a, (value, i, j) => value * b[i][j]),
      added: ({ a, b }) => mapped(a, (value, i, j) => value ** 2 + b[i][j] ** 2),
      "one-side": ({ a }) => square(a),
    },
  },
  score: {
    right: ({ product, d_k }) => by(product, d_k, 1),
    mistakes: {
      "one-product": ({ product }) => product,
      "d-k-squared": ({ product, d_k }) => by(product, d_k, 2),
      root: ({ product, d_k }) => by(product, d_k, 1 / 2),
    },
  },
  by_root: {
    right: ({ score, d_k }) => by(score, d_k, -1),
    mistakes: {
      "not-squared": ({ score, d_k }) => by(score, d_k, -1 / 2),
      unchanged: ({ score }) => score,
      "too-often": ({ score, d_k }) => by(score, d_k, -2),
    },
  },
  by_d_k: {
    right: ({ score, d_k }) => by(score, d_k, -2),
    mistakes: {
      "not-squared": ({ score, d_k }) => by(score, d_k, -1),
      root: ({ score, d_k }) => by(score, d_k, -1 / 2),
      unchanged: ({ score }) => score,
    },
  },
});
