// Turned positions. How far slowed clocks get in a longer text. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, clamp } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [HEAD, TRAINED, LONGER, FEW, MANY] = [128, 4096, 4, 1, 32];
const TURNS = angularFrequencies(HEAD, 10000).map((omega) => (TRAINED * omega) / (2 * Math.PI));

/** YaRN: which share of a clock stays, by its turns in training. */
const stays = (turns) => clamp((turns - FEW) / (MANY - FEW), 0, 1);
/** Unchanged, NTK, YaRN, PI: what each clock keeps of its pace. */
const PACES = [
  () => 1,
  (turns, i) => LONGER ** (-i / (TURNS.length - 1)),
  (turns) => stays(turns) + (1 - stays(turns)) / LONGER,
  () => 1 / LONGER,
];
const LINES = PACES.map((pace) => TURNS.map((turns, i) => LONGER * pace(turns, i)));

const compute = ({ clock }) => ({
  reach: LINES,
  reach_now: LINES.map((line) => [line[clock]]),
  turns: [[TURNS[clock]]],
});

const render = small({
  name: "StretchedClocks",
  question: "A text four times as long: which clocks are taken where training never took them?",
  compute,
  tell: ({ turns: [[turns]], reach_now: [, [ntk]] }, { clock }) => {
    const made = `Clock ${clock} made ${number(turns)} turns in training`;
    if (turns >= 1) return `${made}. It has been all round, so no angle is new to it.`;
    return ntk > 1 + 1e-9
      ? `${made}. Unchanged and with NTK it gets to angles that it never showed.`
      : `${made}. Unchanged alone it gets to angles that it never showed.`;
  },
});

export default { render, compute };
