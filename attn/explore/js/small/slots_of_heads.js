// Complete the pattern: how many slots heads can serve. Python twin: attn/explore/small/induction.py.
import { small } from "../draw/small.js";

const most = (heads) => 2 ** heads - (heads % 2);

const compute = ({ heads }) => ({ slots: [[heads, most(heads)]] });

const OPEN = "What the truth is between them, we don't know.";
const render = small({
  name: "SlotsOfHeads",
  question: "Each head that is added: how many slots more can be served, and how many more might be?",
  compute,
  tell: (_, { heads }) => {
    if (heads === 1) return "One head serves one slot. That no weights let it serve two is the wall.";
    const seen = `With guards ${heads} heads serve ${heads} slots; no weights serve more than ${most(heads)}.`;
    return heads === 2 ? `${seen} Two heads on the further page do serve four.` : `${seen} ${OPEN}`;
  },
});

export default { render, compute };
