// Chapter 7. The cross-entropy of a row is a bowl. Python twin: attn/explore/small/pmi.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const ROWS = [
  [10 / 80, 70 / 80],
  [15 / 20, 5 / 20],
];
const STEPS = Array.from({ length: 81 }, (_, i) => -4 + i / 10);
const lossOf = (row, score) => -dot(row, softmax([score, 0]).map(Math.log));

const compute = ({ score }) => ({
  loss: ROWS.map((row) => STEPS.map((step) => lossOf(row, step))),
  loss_now: ROWS.map((row) => [lossOf(row, score)]),
  weight: [[softmax([score, 0])[0]]],
});

const render = small({
  name: "LossOfOneRow",
  question: "Where is the bottom of each bowl, and what is the weight of `wet` there?",
  compute,
  tell({ weight: [[weight]] }) {
    const text = `\`wet\` has the weight ${weightText(weight)}`;
    if (Math.abs(weight - 0.125) < 0.006)
      return `${text}: close to the bottom for \`clear\`, where 10 of 80 days are wet.`;
    if (Math.abs(weight - 0.75) < 0.01)
      return `${text}: close to the bottom for \`cloudy\`, where 15 of 20 days are wet.`;
    if (weight > 0.125 && weight < 0.75) return `${text}: too high for \`clear\`, too low for \`cloudy\`.`;
    return `${text}: too ${weight > 0.75 ? "high" : "low"} for both rows.`;
  },
});

export default { render, compute };
