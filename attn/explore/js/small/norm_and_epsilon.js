// Complete the pattern: a layer norm with n − 1. Python twin: attn/explore/small/induction_heads.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [AWAY, VARIANCE, STD_OF_SAMPLE] = [0.75, 3 / 16, 0.5]; // of the row 1, 0, 0, 0
const firsts = (power) => {
  const epsilon = 10 ** power;
  return [AWAY / Math.sqrt(VARIANCE + epsilon), AWAY / (STD_OF_SAMPLE + epsilon)];
};
const STEPS = Array.from({ length: 49 }, (_, i) => firsts(-12 + i / 4));
const LINES = [0, 1].map((line) => STEPS.map((values) => values[line]));

const compute = ({ power }) => ({ first: LINES, first_now: firsts(power).map((value) => [value]) });

const render = small({
  name: "NormAndEpsilon",
  question: "Two layer norms make two numbers of one. Make *ε* small: do the numbers meet?",
  compute,
  tell: ({ first_now: [[all], [less]] }, { power }) => {
    const seen = `With n the 1 becomes ${number(all)}, with n − 1 ${number(less)}`;
    if (power <= -3) return `${seen}: √¾ of it, or nearly. Hardly any of that is *ε*.`;
    return `${seen}. So large an *ε* is felt, and they are still apart.`;
  },
});

export default { render, compute };
