// Chapter 5. One head leans toward the largest token, one toward the smallest. Python twin:
// attn/explore/small/xor_by_attention.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const PAIRS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

const compute = ({ beta }) => {
  const says = (query) => PAIRS.map((tokens) => dot(softmax(tokens.map((token) => query * token)), tokens));
  const [up, down] = [says(beta), says(-beta)];
  const half = up.map((value, i) => (value - down[i]) / 2);
  return { up: [up], down: [down], equal: [[half[3]]], unequal: [[half[1]]] };
};

const render = small({
  name: "TwoHeadsPull",
  question: "Which bars do the two heads agree on, and which do they pull apart?",
  compute,
  tell: ({ up: [[, up]] }, { beta }) =>
    beta === 0
      ? "At 0 both heads take the plain mean, and nothing is left between them."
      : `On unequal bits the heads say ${number(up)} and ${number(-up)}; on equal bits they agree.`,
});

export default { render, compute };
