// Complete the pattern: how many slots heads can serve. Python twin: attn/explore/small/induction.py.
import { small } from "../draw/small.js";

const most = (heads) => 2 ** heads - (heads % 2);

const compute = ({ heads }) => ({ slots: [[heads, most(heads)]] });

const render = small({
  name: "SlotsOfHeads",
  question: "With each head more, how many more slots are surely served, and how many might be?",
  compute,
  tell: (_, { heads }) => {
    if (heads === 1) return "One head serves one slot. That no weights let it serve two is the wall.";
    const bound = `no weights more than ${most(heads)}`;
    if (heads === 2) return `Guards serve 2 slots, the two heads on the further page 4, and ${bound}.`;
    const pairs = `pairs as on the further page ${2 * heads - (heads % 2)}`;
    return `Guards serve ${heads} slots, ${pairs}, and ${bound}. What lies between, we don't know.`;
  },
});

export default { render, compute };
