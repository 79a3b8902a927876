// Chapter 4. A row of W_Q W_Kᵀ says whom a word looks at. Python twin: attn/explore/small/multihead.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const compute = ({ entry }) => {
  const looks = [3 * entry, 9, 0, 0]; // the query (entry, 3, 0) with the keys (3, 0, 0), (0, 3, 0), (0, 0, 3), 0
  return { looks: [looks], weights: [softmax(looks.map((value) => value / Math.sqrt(3)))] };
};

const render = small({
  name: "RowOfAHead",
  question: "One number of `sat`'s query moves. Whom does `sat` look at?",
  compute,
  tell({ weights: [[the, cat]] }, { entry }) {
    if (entry === 3) return `9 for \`the\` and 9 for \`cat\`: each has ${weightText(the)}, a blend.`;
    const [word, weight] = entry > 3 ? ["the", the] : ["cat", cat];
    return `The longest bar is \`${word}\`, so \`sat\` looks mostly there: ${weightText(weight)}.`;
  },
});

export default { render, compute };
