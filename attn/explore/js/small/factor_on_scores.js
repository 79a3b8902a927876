// Chapter 2. A factor on the scores is a power on the odds. Python twin: attn/explore/small/qk_variance.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { digits, number, weightText } from "../number.js";

const SCORES = [0.6, 2, 0.1, 0.3, -0.7, -0.5, -1.7, 1];

const compute = ({ factor }) => ({ weights: [softmax(SCORES.map((score) => factor * score))] });

const render = small({
  name: "FactorOnScores",
  question: "Multiply all eight scores by the same factor. Who gains, and how soon?",
  compute,
  tell: ({ weights: [weights] }, { factor }) =>
    factor === 0
      ? "Times 0 all scores are 0, and all eight weights are equal."
      : `Key 2 has ${weightText(weights[1])}. Its odds against key 8 are 2.7 to the power ${number(factor)}` +
        (factor > 8 ? ": a switch." : `: ${digits(weights[1] / weights[7])} to 1.`),
});

export default { render, compute };
