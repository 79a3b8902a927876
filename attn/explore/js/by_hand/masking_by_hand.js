// Chapter 3, by hand: one row under a mask. Python twins: attn/explore/practice/by_hand/masking.py,
// attn/practice/mistakes/masking.py.
import { mapped, maskScores, matmul, scaledScores, softmax, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const times = (rows, mask) => mapped(rows, (value, i, j) => value * mask[i][j]);
const hidden = (scores, sees) => maskScores(scores, sees).map(softmax);

export default byHand("MaskingByHand", {
  scores: {
    right: ({ q, k }) => scaledScores(q, k),
    mistakes: {
      "no-root": ({ q, k }) => scaledScores(q, k, 1),
      "by-d-k": ({ q, k }) => scaledScores(q, k, 1 / k[0].length),
      columns: ({ q, k }) => mapped(matmul(q, k), (value) => value / Math.sqrt(k[0].length)),
    },
  },
  weights: {
    right: ({ scores, mask }) =>
      hidden(
        scores,
        mapped(mask, (value) => value !== 0),
      ),
    mistakes: {
      after: ({ scores, mask }) => times(scores.map(softmax), mask),
      ignored: ({ scores }) => scores.map(softmax),
      zeroed: ({ scores, mask }) => times(scores, mask).map(softmax),
      inverted: ({ scores, mask }) =>
        hidden(
          scores,
          mapped(mask, (value) => value === 0),
        ),
      undivided: ({ scores, mask }) => times(mapped(scores, Math.exp), mask),
    },
  },
  output: {
    right: ({ weights, v }) => matmul(weights, v),
    mistakes: {
      "all-in-sight": ({ scores, v }) => matmul(scores.map(softmax), v),
      sum: ({ mask, v }) => matmul(mask, v),
      mean: ({ mask, v }) => mapped(matmul(mask, v), (value) => value / sumOf(mask[0])),
      largest: ({ weights, v }) => [v[weights[0].indexOf(Math.max(...weights[0]))]],
    },
  },
});
