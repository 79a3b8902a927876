// Chapter 6. A recorded training run, step by step. Python twin: attn/explore/training.py.
import { mapped, matmul, matmulT, scaledScores, softmax } from "./core.js";
import { curves, gauges } from "./draw/charts.js";
import { choice, slider } from "./draw/controls.js";
import { h } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { bitText, CASE_SIGNS, CASES, DIFFER, glasses } from "./draw/glasses.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { number } from "./number.js";

/** x (n) times w (n, m) plus b (m). */
const affine = (x, w, b) => matmul([x], w)[0].map((value, j) => value + b[j]);

/** What a head's weights are called on the page. */
const nameOf = (head) => (head ? `weights_${head + 1}` : "weights");

/** What a head asks for: one vector whose dot product with a token is that token's score. */
const askedBy = (p, head, token) => {
  const q = affine(token, p.w_q[head], p.b_q ? p.b_q[head] : p.w_q[head][0].map(() => 0));
  return scaledScores([q], p.w_k[head])[0];
};

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const run = state.runs.find(({ name }) => name === state.run);
  const p = Object.fromEntries(Object.entries(run.params).map(([key, records]) => [key, records[state.record]]));
  const [b, c] = state.noise[state.draw - 1];
  const asked = p.w_q.map((_, head) => askedBy(p, head, b)); // only b asks, and b is the same in all four cases
  const looked = CASES.map(([a, d]) => {
    const tokens = [b.map(() => a), b, c, b.map(() => d)];
    const weights = matmulT(asked, tokens).map(softmax);
    const read = matmul(weights, tokens).flat();
    const units = p.w_1 ? affine(read, p.w_1, p.b_1).map((value) => Math.max(0, value)) : null;
    return { weights, units, p: softmax(units ? affine(units, p.w_2, p.b_2) : affine(read, p.w_o, p.b_o))[1] };
  });
  const right = looked.map((one, i) => one.p > 0.5 === DIFFER[i]);
  return {
    asked,
    middle: [b, c],
    right,
    decision: [looked.map((one) => one.p)],
    ...Object.fromEntries(asked.map((_, head) => [nameOf(head), looked.map((one) => one.weights[head])])),
    readout: p.w_o
      ? asked.map((vector, head) =>
          vector.map((_, i) => p.w_o[head * vector.length + i][1] - p.w_o[head * vector.length + i][0]),
        )
      : null,
    units: p.w_1 ? looked.map((one) => one.units) : null,
    accuracy: run.accuracy[state.record],
    loss: run.loss[state.record],
    curve: run.accuracy,
    losses: run.loss,
    switched: run.switch,
  };
};

/** Three of the four cases look the same to a ReLU layer, and not by all its units being off. */
const stuck = ({ units }) => {
  const close = (one, two) => one.every((value, i) => Math.abs(value - two[i]) < 0.02);
  return (
    Boolean(units) &&
    units.some((_, odd) => {
      const [one, two, three] = units.filter((__, i) => i !== odd);
      return close(one, two) && close(one, three) && !close(one, units[odd]);
    })
  );
};

/** Less than .01 for the right answer of a case. */
const surelyWrong = ({ decision }) => decision[0].some((p, i) => (DIFFER[i] ? p : 1 - p) < 0.01);

function render({ model, el }) {
  const [runs, steps] = [model.get("runs"), model.get("steps")];
  const [d, last] = [model.get("noise")[0][0].length, steps.length - 1];
  const most = Math.max(...runs.map(({ params }) => params.w_q[0].length));
  const released = runs[0].switch !== undefined; // then the cases are the story, and the weights come when opened
  const relu = runs.find(({ params }) => params.w_1);
  const answer =
    "One head looks for the +1s and the other for the −1s, and the readout takes the difference: " +
    "*max − min*, learned. Open the weights to see it written there.";
  const bitOf = (vector) => bitText(vector.reduce((sum, value) => sum + value, 0));
  const tell = (x, state) => {
    const count = x.right.filter(Boolean).length;
    if (x.asked.length > 1 && count === 4 && bitOf(x.asked[0]) !== bitOf(x.asked[1]) && x.readout) return answer;
    if (state.record > x.switched)
      return `Now on −ln p(y), which pulls where the network is wrong: right in ${count} of 4. Drag on.`;
    if (surelyWrong(x) && (x.switched !== undefined || state.run.includes("probab")))
      return (
        "Sure of a wrong answer, and at rest: −p(y) has hardly any pull left where p(y) is near 0. " +
        "The log loss would pull there with full strength."
      );
    if (x.asked.length > 1)
      return `Right in ${count} of the four cases, with this noise. Drag on: what does each head come to look at?`;
    const bit = bitOf(x.asked[0]);
    if (x.readout)
      return (
        `Right in ${count} of 4. One head, with this noise, looks for the ${bit}s: ` +
        `it can't tell one ${bit} from two.`
      );
    if (stuck(x))
      return (
        "Stuck. The head goes for one sign so hard that three cases look the same to the ReLU layer: " +
        "nothing is left to tell apart."
      );
    return (
      `Right in ${count} of 4. A ReLU layer comes after the head: it can bend the line, ` +
      "as long as the head leaves it three cases to tell apart."
    );
  };
  const fig = figure({
    el,
    model,
    compute,
    answer,
    tell,
    invite: "Drag the slider. It stops more often where the most happens.",
    question: released
      ? "Before the switch the loss is −p(y). Which case is lost? Drag on: from there the loss is −ln p(y)."
      : "Drag through the training of a small network. When does it know XOR, and what do its heads look at by then?",
  });
  const step = slider(fig, {
    key: "record",
    format: (value) => String(steps[value]),
    say: (value) => `${steps[value]} steps`,
  });
  const decision = glasses(fig);
  const path = (values) => values.map((value, i) => [i, value]);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * last));
  const axes = {
    xLabel: "steps (the early ones stretched)",
    x: [0, last],
    y: [0, 1],
    ticksX: ticks,
    ticksY: [0, 0.25, 0.5, 0.75, 1],
    textX: (i) => (i === runs[0].switch ? "switch" : String(steps[i])),
  };
  const course = curves(fig, {
    ...axes,
    name: "course",
    label: "Accuracy and loss against the steps of training, and a line at three in four",
    yLabel: released ? "share right; loss in nats, cut at 1" : "share right; loss, nats",
    lines: (x, state) => [
      { label: "accuracy", points: path(x.curve), now: [state.record, x.accuracy] },
      { label: "loss", points: path(x.losses), now: [state.record, x.loss] },
      { label: "75 %", points: [0, last].map((i) => [i, 0.75]) },
      ...(x.switched === undefined ? [] : [{ label: "", points: [0, 1].map((y) => [x.switched, y]) }]),
    ],
  });
  // A run may have one head or two, a readout or a ReLU layer: what it has not is not on the page.
  const shown = (host, list) => {
    if (list.length !== host.childNodes.length || list.some((node, i) => node !== host.childNodes[i]))
      host.replaceChildren(...list);
  };
  const weights = () => {
    const both = h("div.abh-side-by-side");
    const heads = Array.from({ length: most }, (_, head) =>
      matrix(fig, {
        name: nameOf(head),
        label: `head ${head + 1}`,
        kind: "weight",
        bare: true,
        rowHeads: !head,
        rows: CASE_SIGNS,
        cols: ["a", "b", "c", "d"],
        corner: "a d",
        values: (x) => x[nameOf(head)] ?? x.weights,
      }),
    );
    fig.add((x) => shown(both, heads.slice(0, x.asked.length)));
    return h("div", h("p.abh-label", "Weights: what b looks at"), both);
  };
  fig.stage.append(step, decision, released ? course : h("div.abh-flow.abh-apart", weights(), course));
  fig.later(() => {
    const rows = Array.from({ length: most }, (_, head) => `head ${head + 1}`);
    const vectors = { rows, cols: Array.from({ length: d }, (_, i) => String(i + 1)), domain: 6, fit: true };
    const asked = matrix(fig, { ...vectors, name: "asked", label: "what each head asks for", role: "q" });
    const readout = matrix(fig, {
      ...vectors,
      name: "readout",
      label: "readout: differ minus equal",
      role: "v",
      values: (x) => x.readout ?? x.asked,
    });
    const units =
      relu &&
      matrix(fig, {
        name: "units",
        label: "ReLU units",
        rows: CASE_SIGNS,
        cols: relu.params.b_1[0].map((_, i) => String(i + 1)),
        corner: "a d",
        values: (x) => x.units ?? mapped(relu.params.b_1.slice(0, 4), () => 0),
      });
    const after = h("div.abh-flow");
    fig.add((x) => shown(after, [asked, x.readout ? readout : units]));
    const meters = gauges(fig, {
      label: "On 2,000 samples that training never saw",
      items: [
        { name: "accuracy", label: "accuracy", top: 1, format: (value) => number(value, 3) },
        { name: "loss", label: "loss, nats", top: Math.LN2, topText: "ln 2", format: (value) => number(value, 3) },
      ],
    });
    const todo = [
      { text: "Find a step at which all four cases are right.", test: (x) => x.right.every(Boolean) },
      {
        text: "Find a network that is sure of a wrong answer (less than .01 for the right one). Which loss lets it?",
        test: surelyWrong,
        needs: runs.some(({ name }) => name.includes("probab")),
      },
      {
        text:
          "Choose the run that got stuck. Find a step from which " +
          "three of the four cases look the same to the ReLU layer.",
        test: stuck,
        needs: Boolean(relu),
      },
    ];
    return [
      ...(released ? [weights()] : []),
      h("div.abh-row", choice(fig, { key: "run" }), slider(fig, { key: "draw" })),
      after,
      meters,
      goals(
        fig,
        todo.filter(({ needs = true }) => needs),
      ),
    ];
  });
  return fig.mount();
}
export default { render, compute };
