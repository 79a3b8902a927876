// Chapter 2. Means add terms to the variance. Python twin: attn/explore/small/qk_variance.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ mean }) => {
  const terms = [8, 8, 8 * mean ** 2];
  return { terms: [terms], variance: [[terms.reduce((sum, term) => sum + term, 0)]] };
};

const render = small({
  name: "MeanTerms",
  question: "Here d_k = 8, the variances are 1 and μ_q = 1. What does a mean of the keys add?",
  compute,
  tell: ({ terms: [[, , third]], variance: [[variance]] }, { mean }) =>
    mean === 0
      ? "Keys with mean 0: two terms of 8. The queries' mean has brought in the second."
      : `The third term is 8 · ${number(mean)}² = ${number(third)}, so the variance is ${number(variance)}. ` +
        "It grows with the square.",
});

export default { render, compute };
