// Chapter 2. The variance of one small table says little. Python twin: attn/explore/small/qk_variance.py.
import { matmulT, normals } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [N, D] = [4, 8];

const compute = ({ draw }) => {
  const all = Array.from(normals(draw, 2 * N * D));
  const rows = Array.from({ length: 2 * N }, (_, i) => all.slice(D * i, D * (i + 1)));
  const scores = matmulT(rows.slice(0, N), rows.slice(N));
  const flat = scores.flat();
  const mean = flat.reduce((sum, score) => sum + score, 0) / flat.length;
  const variance = flat.reduce((sum, score) => sum + (score - mean) ** 2, 0) / flat.length;
  return { scores, variance: [[variance]] };
};

const render = small({
  name: "OneTable",
  question: "Draw the table again and again. How near does its variance come to 8?",
  compute,
  tell({ variance: [[variance]] }) {
    const text = `This table has variance ${number(variance)}`;
    if (Math.abs(variance - 8) < 1) return `${text}: near 8, by luck. Draw another.`;
    return `${text}: ${variance < 8 ? "below" : "above"} 8, by chance alone.`;
  },
});

export default { render, compute };
