// Chapter 6. Two heads over single numbers, set by hand: their loss, its slopes, and puzzles on them.
// Python twin, and what each puzzle asks: attn/explore/practice/ladders/learning_xor.py.
import { matmul, softmax } from "../core.js";
import { slider } from "../draw/controls.js";
import { h, scalar } from "../draw/elements.js";
import { figure } from "../draw/figure.js";
import { CASE_SIGNS, CASES, DIFFER, glasses } from "../draw/glasses.js";
import { ladder } from "../draw/ladder.js";
import { matrix } from "../draw/matrix.js";
import { number } from "../number.js";

const TOKENS = CASES.map(([a, d]) => [a, 0.5, -0.5, d]); // the noise of the chapter's example by hand
const SLOPES = ["asks 1", "asks 2", "read 1", "read 2", "bias"];

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** ln(1 + e^x), for any x. */
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Pure: state in, everything that is drawn out. */
const compute = ({ asks, reads, bias }) => {
  const [weights, weights_2] = asks.map((own) => TOKENS.map((tokens) => softmax(tokens.map((x) => own * x))));
  const heads = [weights, weights_2].map((rows) =>
    rows.map(
      (p, i) =>
        matmul(
          [p],
          TOKENS[i].map((x) => [x, x * x]),
        )[0],
    ),
  );
  const logits = TOKENS.map((_, i) => reads[0] * heads[0][i][0] + reads[1] * heads[1][i][0] + bias);
  const p = logits.map((z) => 1 / (1 + Math.exp(-z)));
  const pulls = p.map((value, i) => (value - Number(DIFFER[i])) / 4); // ∂L/∂logit
  const along = (values) => values.reduce((sum, value, i) => sum + pulls[i] * value, 0);
  return {
    weights,
    weights_2,
    right: logits.map((z, i) => z > 0 === DIFFER[i]),
    read: TOKENS.map((_, i) => heads.map((rows) => rows[i][0])),
    decision: [p],
    loss: mean(logits.map((z, i) => softplus(DIFFER[i] ? -z : z))),
    slopes: [
      [
        ...heads.map((rows, head) => along(rows.map(([read, square]) => reads[head] * (square - read * read)))),
        ...heads.map((rows) => along(rows.map(([read]) => read))),
        along(p.map(() => 1)),
      ],
    ],
  };
};

function render({ model, el }) {
  const answer =
    "A head moves the four glasses together: what it asks for, and how it is read, serves all four cases at once.";
  const fig = figure({
    el,
    model,
    compute,
    question: "Set the numbers that training would find. Which glasses should be full?",
    answer,
    invite: "Drag the slider: the fuller a glass, the surer it is that the two bits differ.",
  });
  const handle = (key, path, role) => slider(fig, { key, path, role });
  const first = handle("asks", [0], "q");
  const decision = glasses(fig);
  const loss = scalar(fig, "loss", (value) => number(value, 3));
  fig.stage.append(first, decision, h("p.abh-stat", h("span.abh-label", "loss, nats "), loss));
  const table = (name, label, more) => matrix(fig, { name, label, rows: CASE_SIGNS, corner: "a d", ...more });
  const looks = { kind: "weight", cols: ["a", "b", "c", "d"], bare: true };
  // A head that is not read yet changes no glass: what it looks at stands beside what it asks.
  fig.next.append(
    h(
      "div.abh-row",
      handle("reads", [0], "v"),
      handle("reads", [1], "v"),
      handle("bias", [], "ink"),
      handle("asks", [1], "q"),
    ),
    h(
      "div.abh-side-by-side",
      table("weights", "head 1 looks at", looks),
      table("weights_2", "head 2 looks at", { ...looks, rowHeads: false }),
    ),
  );
  fig.later(() => [
    h(
      "div.abh-flow",
      table("slopes", "slopes of the loss", { rows: ["∂L"], cols: SLOPES, corner: "", rowHeads: false, domain: 0.5 }),
      table("read", "what is read", { role: "v", cols: ["head 1", "head 2"], domain: 1 }),
    ),
  ]);
  return fig.mount();
}

const byHand = { render, compute };
const NUMBERS = ["asks", "reads", "bias"];
const oneHead = ({ reads }) => reads[1] === 0;
const count = ({ right }) => right.filter(Boolean).length;

export default ladder(byHand, [
  (x, state) => oneHead(state) && x.loss < 0.52,
  (x, state) => oneHead(state) && count(x) === 3 && x.loss > 2.5,
  (x, state) => oneHead(state) && count(x) === 4,
  (x, state) => NUMBERS.every((name) => [state[name]].flat().every((v) => Math.abs(v) <= 3)) && count(x) === 4,
  ({ slopes: [all] }, { asks, reads }) =>
    asks[0] === asks[1] &&
    reads[0] === reads[1] &&
    asks[0] !== 0 &&
    reads[0] !== 0 &&
    Math.max(Math.abs(all[0] - all[1]), Math.abs(all[2] - all[3])) > 0.001,
  (x) => x.loss < 0.17,
  (x) => x.loss <= 0,
]);
