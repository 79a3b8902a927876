// Chapter 7. PMI alone is not enough: the prior is missing. Python twin: attn/explore/small/pmi.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const PRIOR = [0.25, 0.75];
const DAYS = [10 / 80, 70 / 80]; // of the clear ones
const PMI = DAYS.map((p, j) => Math.log(p / PRIOR[j]));

const compute = ({ share }) => ({
  weights: [softmax(PMI.map((value, j) => value + share * Math.log(PRIOR[j])))],
  days: [DAYS],
});

const render = small({
  name: "PriorShare",
  question: "How much of ln p(j) must be added before both pictures agree?",
  compute,
  tell({ weights: [[wet]] }, { share }) {
    const text = `\`wet\` has ${weightText(wet)}`;
    if (Math.abs(share - 1) < 1e-9) return `${text}, as often as the clear days have it: once is right.`;
    return share < 1 ? `${text}, too much: it is rarer than \`dry\` on all days.` : `${text}: now it is too little.`;
  },
});

export default { render, compute };
