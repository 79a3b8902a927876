// Chapter 7. Counts that are divided by the wrong number. Python twin: attn/explore/small/pmi.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const DAYS = [10, 70]; // clear: wet, dry
const [CLEAR, COLUMNS, ALL] = [80, [25, 75], 100];

const compute = ({ log10_divisor: power }) => {
  const divisor = 10 ** power;
  const bits = DAYS.map((days, j) => Math.log2(days / divisor / ((CLEAR / divisor) * (COLUMNS[j] / divisor))));
  const weights = softmax(bits.map((value, j) => value * Math.LN2 + Math.log(COLUMNS[j] / ALL)));
  return { bits: [bits], weights: [weights] };
};

const render = small({
  name: "CountsUndivided",
  question: "Divide by 1, 10, 100, 1,000. Which of the two pictures notices?",
  compute,
  tell({ bits: [[wet, dry]] }, { log10_divisor: power }) {
    const text = `PMI ${number(wet)} and ${number(dry)}`;
    if (10 ** power === ALL) return `${text}: divided by their sum, one below chance and one above.`;
    return `${text}: both ${wet < 0 ? "below" : "above"} 0, which no table of probabilities gives. The weights stay.`;
  },
});

export default { render, compute };
