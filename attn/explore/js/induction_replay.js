// Chapter 9. How two layers are learned, step by step. Python twin: attn/explore/induction_replay.py.
import { causalMask, mapped, maskScores, matmul, softmax, sumOf } from "./core.js";
import { curves, gauges } from "./draw/charts.js";
import { choice, slider } from "./draw/controls.js";
import { h } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { number } from "./number.js";

const LETTERS = [..."·ABCDEFGHIJ"]; // the dot is BOS
const ORDER = [3, 8, 1, 6, 10, 2, 5, 9]; // the words of the sentence, before some come again
const LENGTH = 12;
const N_VOCAB = LETTERS.length;
const MASK = causalMask(LENGTH);
const HIDDEN = mapped(MASK, (open) => !open);

const sentence = (again) => {
  const words = ORDER.slice(0, LENGTH - 1 - again);
  return [0, ...words, ...words.slice(-again)];
};
const oneHot = (token) => LETTERS.map((_, word) => Number(word === token));
/** A square block from its entries in a row, in hundredths. */
const square = (entries, size) =>
  Array.from({ length: size }, (_, i) => entries.slice(i * size, (i + 1) * size).map((entry) => entry / 100));
/** The lower triangle of a block, row after row; what a mask hides anyway is 0. */
const lower = (entries) =>
  Array.from({ length: LENGTH }, (_, i) =>
    Array.from({ length: LENGTH }, (__, j) => (j <= i ? entries[(i * (i + 1)) / 2 + j] / 100 : 0)),
  );
const largest = (row) => row.indexOf(Math.max(...row));

/** Pure: state in, everything that is drawn out. */
const compute = ({ history, record, again: many }) => {
  const again = Number(many);
  const tokens = sentence(again);
  const x = tokens.map(oneHot);
  const attend = (scores) => maskScores(scores, MASK).map(softmax);
  const [look, match] = [lower(history.look[record]), square(history.match[record], N_VOCAB)];
  const first = attend(look);
  const asks = matmul(x, match); // what each word makes of a word before
  const before = matmul(first, x);
  const second = attend(asks.map((row) => before.map((lane) => sumOf(lane.map((share, word) => share * row[word])))));
  const logits = matmul(second, matmul(x, square(history.say[record], N_VOCAB)));
  const asked = Array.from({ length: again - 1 }, (_, k) => LENGTH - again + k);
  const said = asked.map((i) => largest(logits[i]));
  const found = asked.map((i) => i + 1 - again); // where the word to say next stood before
  return {
    look,
    match,
    tokens,
    words: tokens.map((token) => LETTERS[token]),
    weights_1: first,
    weights_2: second,
    right: said.filter((word, k) => word === tokens[asked[k] + 1]).length,
    parrots: said.filter((word, k) => word === tokens[asked[k]]).length,
    before: sumOf(found.map((j) => first[j][j - 1])) / found.length,
    after: sumOf(asked.map((i, k) => second[i][found[k]])) / found.length,
    loss: history.loss[0][record],
    accuracy: history.accuracy[0][record],
  };
};

function render({ model, el }) {
  const history = model.get("history");
  const { steps } = history;
  const tell = (x, { record, again }) =>
    `At ${steps[record]} steps it is right at ${x.right} of ${again - 1} places, and at ${x.parrots} it says the ` +
    `current word once more. Where these places need it, layer 1 has ${number(x.before)} on the word before, and ` +
    `layer 2 ${number(x.after)} on the word that came after.`;
  const end = { history, record: steps.length - 1, again: model.get("again") };
  const fig = figure({
    el,
    model,
    compute: (state) => compute({ ...state, history }),
    tell,
    answer: tell(compute(end), end),
    question:
      "Two layers learn to complete patterns. Drag through the training: which finds its pattern first, and " +
      "does the loss show it coming?",
    invite: "Drag the slider. Its steps are close together where the most happens. The dot is `BOS`.",
  });
  const step = slider(fig, {
    key: "record",
    format: (value) => String(steps[value]),
    say: (value) => `${steps[value]} steps`,
  });
  const names = Array.from({ length: LENGTH }, (_, i) => String(i));
  const look = (layer) =>
    matrix(fig, {
      name: `weights_${layer}`,
      label: `layer ${layer} looks at`,
      kind: "weight",
      rows: names,
      cols: names,
      bare: true,
      fit: true,
      hidden: () => HIDDEN,
      names: (x) => ({ rows: x.words, cols: x.words }),
    });
  /** Ten curves; where the first seed is now is marked on its own. */
  const course = (name, label, yLabel, top, ticksY, values) =>
    curves(fig, {
      name,
      label,
      xLabel: "steps",
      yLabel,
      x: [0, steps.at(-1)],
      y: [0, top],
      ticksX: [0, 200, 400, 600],
      ticksY,
      height: 150,
      lines: (x, { record }) =>
        values.map((line, seed) => ({
          label: seed ? "" : "ten seeds",
          points: line.map((value, i) => [steps[i], value]),
          now: seed ? null : [steps[record], x[name]],
        })),
    });
  const loss = course("loss", "Loss of ten seeds against the steps", "loss, nats", 2.5, [0, 1.25, 2.5], history.loss);
  const accuracy = course(
    "accuracy",
    "Share of ten seeds that is right, against the steps",
    "share right",
    1,
    [0, 0.5, 1],
    history.accuracy,
  );
  fig.stage.append(step, h("div.abh-replay-looks", look(1), look(2)), h("div.abh-flow.abh-apart", loss, accuracy));
  fig.later(() => {
    const meters = gauges(fig, {
      label: "Where this sentence needs it, and on 200 others",
      items: [
        { name: "before", label: "layer 1: one place back", top: 1 },
        { name: "after", label: "layer 2: on the word that came after", top: 1 },
        { name: "right", label: "places that are right", top: 4 },
        { name: "parrots", label: "places with the present word again", top: 4 },
        { name: "accuracy", label: "others: share right", top: 1, format: (value) => number(value, 3) },
        { name: "loss", label: "others: loss, nats", top: 2.5, format: (value) => number(value, 3) },
      ],
    });
    return [
      h("div.abh-row", choice(fig, { key: "again" })),
      meters,
      goals(fig, [
        {
          text: "Find a step at which it says the present word once more at all places.",
          test: (x, { again }) => x.parrots === Number(again) - 1,
        },
        {
          text:
            "Find a step at which layer 1 has more than half of its weight one place back, and layer 2 less than " +
            "half on the word that came after.",
          test: (x) => x.before > 0.5 && x.after < 0.5,
        },
        {
          text: "With five words again, find a step at which two or three of the four places are right.",
          test: (x, { again }) => again === "5" && (x.right === 2 || x.right === 3),
        },
      ]),
    ];
  });
  return fig.mount();
}
export default { render, compute };
