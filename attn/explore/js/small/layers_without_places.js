// Turned positions. Without positions, one causal layer sees a bag, and two see more. Python twin:
// attn/explore/small/rotary.py.
import { causalMask, maskScores, matmul, scaledScores, softmax } from "../core.js";
import { small } from "../draw/small.js";

const [DOG, BITES, MAN] = [
  [0.3, 0.8, 0.3, -1.3],
  [0.9, 0.4, -0.5, 0.6],
  [0.4, 0.3, 0.0, 0.5],
];

/** A layer's output is added to what came in. */
const layer = (x) => {
  const weights = maskScores(scaledScores(x, x), causalMask(x.length)).map(softmax);
  return matmul(weights, x).map((row, i) => row.map((value, j) => value + x[i][j]));
};

const last = (words, layers) => [(layers === "two" ? layer(layer(words)) : layer(words)).at(-1)];

const compute = ({ layers }) => ({
  forward: last([DOG, BITES, MAN], layers),
  swapped: last([BITES, DOG, MAN], layers),
});

const render = small({
  name: "LayersWithoutPlaces",
  question: "No positions, only a causal mask. Does `man` know which of the two words came first?",
  compute,
  tell: (_, { layers }) =>
    layers === "one"
      ? "The same four numbers: one layer sees which words came before, as a bag."
      : "Now they differ: the second word had seen the first, and not the other way round.",
});

export default { render, compute };
