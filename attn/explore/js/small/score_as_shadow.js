// Chapter 0. A score is the shadow of the query on the key, times the key's length. Python twin:
// attn/explore/small/attention.py.
import { dot, vectorOf } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const KEY = [2, 1];

const compute = ({ angle }) => {
  const query = vectorOf(angle, 2);
  const score = dot(query, KEY);
  return { query: [query], key: [KEY], shadow: [KEY.map((x) => (score / dot(KEY, KEY)) * x)], dot: [[score]] };
};

const render = small({
  name: "ScoreAsShadow",
  question: "Turn the query. When is the dot product largest, when zero, when negative?",
  compute,
  tell({ dot: [[score]] }) {
    const text = number(score);
    if (Math.abs(score) < 0.2) return `${text}: at a right angle the query has next to no shadow on the key.`;
    if (score < 0) return `${text}: the shadow falls behind the origin, so the dot product is negative.`;
    if (score > 4.4) return `${text}: nearly the same direction, the longest shadow, the largest dot product.`;
    return `${text}: the length of the shadow times the length of the key, √5.`;
  },
});

export default { render, compute };
