// Turned positions. The score against how far back a key stands. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [WIDTH, REACH, BACK] = [64, 60, 20];
const CLOCKS = angularFrequencies(WIDTH, 10000);
const mean = (value) => CLOCKS.reduce((sum, omega) => sum + value(omega), 0) / CLOCKS.length;

/** Of the query itself, of a key that was turned on by 20, and the spread of keys of any direction. */
const shares = (back) => [
  mean((omega) => Math.cos(omega * back)),
  mean((omega) => Math.cos(omega * (back - BACK))),
  Math.sqrt(mean((omega) => Math.cos(omega * back) ** 2 + Math.sin(omega * back) ** 2)),
];
const STEPS = Array.from({ length: 4 * REACH + 1 }, (_, i) => shares(i / 4));
const LINES = [0, 1, 2].map((line) => STEPS.map((values) => values[line]));

const compute = ({ back }) => ({ score: LINES, score_now: shares(back).map((value) => [value]) });

const render = small({
  name: "ScoreByOffset",
  question: "Move the key further and further back. Does its score fade?",
  compute,
  tell: ({ score_now: [[ones], [chosen]] }, { back }) =>
    `${back} back: ${number(ones)} for ones, ${number(chosen)} for the chosen key. ` +
    "Keys of any direction keep their spread.",
});

export default { render, compute };
