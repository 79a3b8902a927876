// Chapter 7. A ratio in bits. Python twin: attn/explore/small/pmi.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const CHANCE = 5; // of 100 days: a fifth is cloudy, a quarter wet
const STEPS = Array.from({ length: 77 }, (_, i) => 1 + i / 4);
const ratioOf = (days) => days / CHANCE;

const compute = ({ days }) => ({
  bits: [STEPS.map((step) => Math.log2(ratioOf(step)))],
  bits_now: [[Math.log2(ratioOf(days))]],
});

const render = small({
  name: "RatioInBits",
  question: "By chance they meet on 5 days. What does PMI say of 10, of 20, of 1?",
  compute,
  tell({ bits_now: [[bits]] }, { days }) {
    if (days === 5) return "5 days, as often as by chance: the ratio is 1, and its logarithm 0.";
    const text = `${number(ratioOf(days))} times as often as by chance, ${number(bits)} bits`;
    return bits < 0 ? `${text}: below 0, since they meet less.` : `${text}: above 0, since they meet more.`;
  },
});

export default { render, compute };
