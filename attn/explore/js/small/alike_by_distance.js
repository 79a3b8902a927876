// Chapter 1. The inner product against the distance. Python twin: attn/explore/small/positional_encoding.py.
import { angularFrequencies } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const FREQUENCIES = [4, 64].map((d) => angularFrequencies(d, 10000));
const share = (frequencies, distance) =>
  frequencies.reduce((sum, omega) => sum + Math.cos(omega * distance), 0) / frequencies.length;
const STEPS = Array.from({ length: 281 }, (_, i) => i / 10);
const LINES = FREQUENCIES.map((frequencies) => STEPS.map((distance) => share(frequencies, distance)));

const compute = ({ distance }) => ({
  alike: LINES,
  alike_now: FREQUENCIES.map((frequencies) => [share(frequencies, distance)]),
});

const render = small({
  name: "AlikeByDistance",
  question: "Take two positions further and further apart. Do they grow less and less alike?",
  compute,
  tell({ alike_now: [[four], [many]] }, { distance }) {
    if (distance === 0) return "Distance 0: each position is most like itself.";
    return `Distance ${distance}: ${number(four)} with 4 dimensions, ${number(many)} with 64.`;
  },
});

export default { render, compute };
