// Chapter 7. Bits in a softmax are a temperature. Python twin: attn/explore/small/pmi.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const ROWS = [
  [10 / 80, 70 / 80],
  [15 / 20, 5 / 20],
];
const STEPS = Array.from({ length: 86 }, (_, i) => 1.5 + i / 10);
const wet = (row, base) => softmax(row.map((p) => Math.log(p) / Math.log(base)))[0];

const compute = ({ base }) => ({
  weight: ROWS.map((row) => STEPS.map((step) => wet(row, step))),
  weight_now: ROWS.map((row) => [wet(row, base)]),
});

const render = small({
  name: "BaseOfTheLogarithm",
  question: "At which base are the weights of `wet` those of the days, 0.125 and 0.75?",
  compute,
  tell({ weight_now: [[clear], [cloudy]] }, { base }) {
    const text = `${weightText(clear)} and ${weightText(cloudy)}`;
    if (Math.abs(base - 2.7) < 0.01) return `${text}: next to e, the weights are those of the days.`;
    return base < Math.E ? `${text}: sharper than the days.` : `${text}: flatter than the days.`;
  },
});

export default { render, compute };
