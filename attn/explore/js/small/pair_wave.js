// Chapter 1. Each pair has a wavelength of its own. Python twin: attn/explore/small/positional_encoding.py.
import { angularFrequencies } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const LENGTH = 128;
const FREQUENCIES = angularFrequencies(64, 10000);
const STEPS = Array.from({ length: 4 * LENGTH + 1 }, (_, i) => i / 4);

const compute = ({ pair }) => {
  const omega = FREQUENCIES[pair];
  const wavelength = (2 * Math.PI) / omega;
  const once = Math.min(wavelength, LENGTH);
  return {
    wave: [STEPS.map((position) => Math.cos(omega * position))],
    wave_now: [[Math.cos(omega * once)]],
    once: [[once]],
    wavelength: [[wavelength]],
    turns: [[LENGTH / wavelength]],
  };
};

const render = small({
  name: "PairWave",
  question: "Which clocks turn often in 128 words, and which hardly?",
  compute,
  tell({ turns: [[turns]] }, { pair }) {
    if (turns >= 1) return `Pair ${pair} has turned once where the point is: ${number(turns, 1)} turns in all.`;
    return `Pair ${pair} does not get round once: ${turns < 0.01 ? "below 0.01" : number(turns)} of a turn.`;
  },
});

export default { render, compute };
