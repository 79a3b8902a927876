// Chapter 3. One pass under a mask against a pass for each beginning. Python twin: attn/explore/small/masking.py.
import { small } from "../draw/small.js";
import { grouped } from "../number.js";

const both = (n) => [n ** 2, (n * (n + 1) * (2 * n + 1)) / 6];
const STEPS = Array.from({ length: 33 }, (_, i) => i / 2);

const compute = ({ words }) => ({
  count: [0, 1].map((line) => STEPS.map((n) => both(n)[line])),
  count_now: both(words).map((count) => [count]),
});

const render = small({
  name: "OnePass",
  question: "More words: how many scores does one pass take, and how many a pass for each beginning?",
  compute,
  tell: ({ count_now: [[one], [many]] }, { words }) =>
    `${words} words: ${grouped(one)} scores in one pass, ${grouped(many)} in ${words} passes.`,
});

export default { render, compute };
