// Chapter 0. n words have n² scores. Python twin: attn/explore/small/attention.py.
import { small } from "../draw/small.js";
import { grouped } from "../number.js";

const LEARNED = 18; // three matrices of 3 × 2
const both = (words) => [words ** 2, LEARNED];
const STEPS = Array.from({ length: 33 }, (_, i) => i / 2);

const compute = ({ words }) => ({
  count: [0, 1].map((line) => STEPS.map((n) => both(n)[line])),
  count_now: both(words).map((count) => [count]),
});

const render = small({
  name: "CostOfWords",
  question: "Twice as many words: how many more scores, and how many more learned numbers?",
  compute,
  tell: ({ count_now: [[scores]] }, { words }) =>
    `${words} words, ${grouped(scores)} scores: every word scores every word. The ${LEARNED} learned numbers stay.`,
});

export default { render, compute };
