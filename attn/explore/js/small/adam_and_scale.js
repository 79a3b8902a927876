// Chapter 6. Adam's step hardly depends on the gradient's size. Python twin: attn/explore/small/learning_xor.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [RATE, TINY] = [0.1, 1e-8];
const both = (exponent) => {
  const gradient = 10 ** exponent;
  return [(RATE * gradient) / (gradient + TINY), RATE * gradient].map(Math.log10);
};
const LINE = Array.from({ length: 101 }, (_, i) => both((i - 90) / 10));

const compute = ({ exponent }) => ({
  step: [0, 1].map((which) => LINE.map((pair) => pair[which])),
  step_now: both(exponent).map((value) => [value]),
});

const render = small({
  name: "AdamAndScale",
  question: "The step size is 0.1. Make the gradient tiny: how far does one step go?",
  compute,
  tell({ step_now: [[adam], [plain]] }, { exponent }) {
    const text = `A plain step goes 10 to the ${number(plain, 0)}`;
    if (exponent < -7) return `${text}. Even Adam's is shorter here, because of the 1e-8 below its fraction line.`;
    return `${text}, Adam's ${number(10 ** adam, 1)}: the gradient's size cancels, its sign stays.`;
  },
});

export default { render, compute };
