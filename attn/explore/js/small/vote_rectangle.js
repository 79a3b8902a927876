// Chapter 5. Two votes as coordinates. Python twin: attn/explore/small/xor_by_attention.py.
import { small } from "../draw/small.js";

const [ZERO, SECOND] = [-1, [-1.2, 1.7]];

const compute = ({ vote }) => {
  const corner = (a, b) => [a ? vote : ZERO, SECOND[b]];
  const corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
  const [c00, c10, c01, c11] = corners.map((point) => [point]);
  return { corners, sums: [corners.map(([x, y]) => x + y)], a: [[-4, 4]], b: [[4, -4]], c00, c10, c01, c11 };
};

const render = small({
  name: "VoteRectangle",
  question: "Can (1, 0) and (0, 1) be above the falling line, and the other two not?",
  compute,
  tell({ corners }) {
    const above = corners.map(([x, y]) => x + y > 1e-9);
    const right = above.filter((says, i) => says === (i === 1 || i === 2)).length;
    return `${["None", "One", "Two", "Three", "Four"][right]} of four right: ${
      above[3] ? "(1, 1) is above the line" : "(1, 1) is not above"
    }, ${above[1] ? "and so is (1, 0)" : "(1, 0) is not"}.`;
  },
});

export default { render, compute };
