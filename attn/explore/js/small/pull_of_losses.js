// Chapter 6. The pull of −ln p and of −p. Python twin: attn/explore/small/learning_xor.py.
import { small } from "../draw/small.js";
import { digits } from "../number.js";

const pOf = (lead) => 1 / (1 + Math.exp(-lead));
const pulls = (p) => [1 - p, p * (1 - p)];
const LINE = Array.from({ length: 121 }, (_, i) => pulls(pOf(-6 + i / 10)));

const compute = ({ lead }) => {
  const p = pOf(lead);
  return {
    pull: [0, 1].map((which) => LINE.map((pair) => pair[which])),
    pull_now: pulls(p).map((pull) => [pull]),
    p: [[p]],
    log_loss: [[-Math.log(p)]],
    slip: [[-p]],
  };
};

const render = small({
  name: "PullOfLosses",
  question: "Drag left: which loss still pulls?",
  compute,
  tell({ pull_now: [[log], [slip]] }, { lead }) {
    const text = `−ln p pulls with ${digits(log)}, −p with ${digits(slip)}`;
    if (lead < -3) return `${text}: to −p this case is as good as lost.`;
    return lead > 3 ? `${text}: right already, so both let go.` : `${text}: p times the other.`;
  },
});

export default { render, compute };
