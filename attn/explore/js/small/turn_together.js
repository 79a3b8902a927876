// Turned positions. One pair of a query and one of a key turn alike. Python twin: attn/explore/small/rotary.py.
import { dot, vectorOf } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [ASKS_AT, ASKED_AT, A_WORD] = [20, 80, 40];
const pointing = (start) => [ASKS_AT + A_WORD * (start + 1), ASKED_AT + A_WORD * start];

const compute = ({ start }) => {
  const [query, key] = pointing(start).map((degrees) => vectorOf(degrees, 1));
  return { query: [query], key: [key], dot: [[dot(query, key)]] };
};

const render = small({
  name: "TurnTogether",
  question: "Move both words along. Both arrows turn: what becomes of their dot product?",
  compute,
  tell({ dot: [[score]] }, { start }) {
    const [query, key] = pointing(start);
    return (
      `q has come to ${query} degrees, k to ${key}: always ${Math.abs(key - query)} apart, ` +
      `so their dot product stays ${number(score)}.`
    );
  },
});

export default { render, compute };
