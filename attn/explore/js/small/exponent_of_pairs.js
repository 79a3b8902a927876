// Chapter 1. What i counts in the exponent. Python twin: attn/explore/small/positional_encoding.py.
import { small } from "../draw/small.js";

const compute = ({ counts }) => {
  const exponent = [0, 1, 2, 3].map((dimension) => (2 * (counts === "pairs" ? dimension >> 1 : dimension)) / 4);
  const world = exponent.map((power, dimension) => (dimension % 2 ? Math.cos : Math.sin)(10000 ** -power));
  return { exponent: [exponent], world: [world] };
};

const render = small({
  name: "ExponentOfPairs",
  question: "Let `i` count dimensions. Which sine still shares its exponent with a cosine?",
  compute,
  tell: (_, { counts }) =>
    counts === "pairs"
      ? "Two and two: a sine and the cosine beside it have the same exponent."
      : "A staircase: no sine shares its exponent with a cosine.",
});

export default { render, compute };
