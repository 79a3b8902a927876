// Chapter 6, by hand: the loss of one row. Python twins: attn/explore/practice/by_hand/learning_xor.py,
// attn/practice/mistakes/learning.py.
import { dot, mapped, softmax, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const ofRight = (probabilities, target) => dot(probabilities[0], target[0]);

export default byHand("LossByHand", {
  probabilities: {
    right: ({ exponentials }) => mapped(exponentials, (value) => value / sumOf(exponentials[0])),
    mistakes: {
      undivided: ({ exponentials }) => exponentials,
      "by-largest": ({ exponentials }) => mapped(exponentials, (value) => value / Math.max(...exponentials[0])),
      twice: ({ exponentials }) => exponentials.map(softmax),
    },
  },
  loss: {
    right: ({ probabilities, target }) => [[-Math.log(ofRight(probabilities, target))]],
    mistakes: {
      sign: ({ probabilities, target }) => [[Math.log(ofRight(probabilities, target))]],
      bits: ({ probabilities, target }) => [[-Math.log2(ofRight(probabilities, target))]],
      "one-minus": ({ probabilities, target }) => [[1 - ofRight(probabilities, target)]],
      largest: ({ probabilities }) => [[-Math.log(Math.max(...probabilities[0]))]],
    },
  },
  d_z: {
    right: ({ probabilities, target }) => mapped(probabilities, (value, i, j) => value - target[i][j]),
    mistakes: {
      "no-target": ({ probabilities }) => probabilities,
      turned: ({ probabilities, target }) => mapped(probabilities, (value, i, j) => target[i][j] - value),
      "right-alone": ({ probabilities, target }) =>
        mapped(probabilities, (value, i, j) => (value - 1) * target[i][j]),
    },
  },
});
