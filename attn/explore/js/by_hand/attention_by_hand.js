// Chapter 0, by hand: score, weigh, mix. Python twins: attn/explore/practice/by_hand/attention.py,
// attn/practice/mistakes/attention.py.
import { dot, mapped, matmul, matmulT, softmax, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const D_K = 4;
const scaled = (rows, factor) => mapped(rows, (value) => value * factor);
const added = (v) => matmul([v.map(() => 1)], v);

export default byHand("AttentionByHand", {
  dots: {
    right: ({ q, k }) => matmulT(q, k),
    mistakes: {
      added: ({ q, k }) => [k.map((row) => sumOf(row) + sumOf(q[0]))],
      "signs-lost": ({ q, k }) => [k.map((row) => dot(row.map(Math.abs), q[0].map(Math.abs)))],
      "first-half": ({ q, k }) => [k.map((row) => dot(row.slice(0, 2), q[0]))],
    },
  },
  scores: {
    right: ({ dots }) => scaled(dots, 1 / Math.sqrt(D_K)),
    mistakes: {
      "no-root": ({ dots }) => dots,
      "by-d-k": ({ dots }) => scaled(dots, 1 / D_K),
      "times-root": ({ dots }) => scaled(dots, Math.sqrt(D_K)),
      "root-of-words": ({ dots, k }) => scaled(dots, 1 / Math.sqrt(k.length)),
    },
  },
  weights: {
    right: ({ scores }) => scores.map(softmax),
    mistakes: {
      dots: ({ dots }) => dots.map(softmax),
      undivided: ({ scores }) => mapped(scores, Math.exp),
      shares: ({ scores }) => scaled(scores, 1 / sumOf(scores[0])),
      "base-two": ({ scores }) => scaled(scores, Math.LN2).map(softmax),
    },
  },
  output: {
    right: ({ weights, v }) => matmul(weights, v),
    mistakes: {
      largest: ({ weights, v }) => [v[weights[0].indexOf(Math.max(...weights[0]))]],
      mean: ({ v }) => scaled(added(v), 1 / v.length),
      sum: ({ v }) => added(v),
      keys: ({ weights, k, v }) =>
        matmul(
          weights,
          k.map((row) => row.slice(0, v[0].length)),
        ),
      scores: ({ scores, v }) => matmul(scores, v),
    },
  },
});
