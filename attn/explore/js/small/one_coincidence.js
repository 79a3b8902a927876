// Chapter 7. Rare words have the highest PMI. Python twin: attn/explore/small/pmi.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [TOTAL, NEIGHBORS] = [2 ** 19, 20];
const STEPS = Array.from({ length: 33 }, (_, i) => i / 4);

/** PMI in bits of two words that occur 2^power times each: if they met each time, and if they met once. */
const both = (power) => {
  const times = 2 ** power;
  const chance = ((NEIGHBORS * times) / TOTAL) ** 2;
  return [times, 1].map((met) => Math.log2(met / TOTAL / chance));
};

const compute = ({ log2_times: power }) => ({
  bits: [0, 1].map((line) => STEPS.map((step) => both(step)[line])),
  bits_now: both(power).map((bits) => [bits]),
});

const render = small({
  name: "OneCoincidence",
  question: "Make both words more frequent. What is one meeting worth, and what is meeting each time?",
  compute,
  tell({ bits_now: [[each], [once]] }, { log2_times: power }) {
    if (power === 0) return `Both occur once and meet once: ${number(once)} bits, the highest in the picture.`;
    return `${2 ** power} times each: ${number(each)} bits if they meet each time, ${number(once)} for one meeting.`;
  },
});

export default { render, compute };
