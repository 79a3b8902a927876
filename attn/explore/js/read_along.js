// A trained model reads a sentence of the reader's own. Python twin: attn/explore/read_along.py.
import {
  causalMask,
  halvesFrom,
  layerNorm,
  mapped,
  maskScores,
  matmul,
  scaledScores,
  softmax,
  sumOf,
} from "./core.js";
import { bars, gauges } from "./draw/charts.js";
import { radios, slider } from "./draw/controls.js";
import { h } from "./draw/elements.js";
import { field } from "./draw/field.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { letters } from "./draw/letters.js";
import { matrix } from "./draw/matrix.js";
import { weightText } from "./number.js";

const VOCABULARY = " 'abcdefghijklmnopqrstuvwxyz";
const [LAYERS, HEADS, MOST, SHOWN] = [2, 4, 24, 5];
const ALL = Array.from({ length: LAYERS * HEADS }, (_, i) => `${1 + Math.floor(i / HEADS)}.${1 + (i % HEADS)}`);
const mapName = (name) => `weights_${name.replace(".", "_")}`;

/** Numbers in a row, in the shape of nested lists. */
const shaped = (numbers, [size, ...inner]) => {
  if (!inner.length) return numbers;
  const each = numbers.length / size;
  return Array.from({ length: size }, (_, i) => shaped(numbers.slice(i * each, (i + 1) * each), inner));
};

const unpacked = new WeakMap();
/** The arrays of the model, by name: read once. */
const weightsOf = (trained) => {
  if (!unpacked.has(trained)) {
    const numbers = halvesFrom(trained.halves);
    let from = 0;
    const arrays = trained.shapes.map(([name, shape]) => {
      const size = shape.reduce((a, b) => a * b, 1);
      from += size;
      return [name, shaped(numbers.slice(from - size, from), shape)];
    });
    unpacked.set(trained, Object.fromEntries(arrays));
  }
  return unpacked.get(trained);
};

const added = (a, b) => mapped(a, (value, i, j) => value + b[i][j]);

/** What each head looks at, and the logits at each letter. */
const run = (tokens, w) => {
  const mask = causalMask(tokens.length);
  const looks = [];
  let stream = tokens.map((token, i) => w.embedding[token].map((value, c) => value + w.places[i][c]));
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const own = (name) => w[`${layer}.${name}`];
    const read = stream.map((row) => layerNorm(row, own("gain_1"), own("bias_1")));
    const heads = own("w_q").map((_, head) => {
      const [q, k, v] = ["w_q", "w_k", "w_v"].map((name) => matmul(read, own(name)[head]));
      const weights = maskScores(scaledScores(q, k), mask).map(softmax);
      looks.push(weights);
      return matmul(weights, v);
    });
    const said = tokens.map((_, i) => heads.flatMap((head) => head[i]));
    stream = added(stream, matmul(said, own("w_o")));
    const next = stream.map((row) => layerNorm(row, own("gain_2"), own("bias_2")));
    const hidden = mapped(matmul(next, own("w_1")), (value, _, j) => Math.max(0, value + own("b_1")[j]));
    const more = mapped(matmul(hidden, own("w_2")), (value, _, j) => value + own("b_2")[j]);
    stream = added(stream, more);
  }
  const last = stream.map((row) => layerNorm(row, w.gain, w.bias));
  return { looks, logits: mapped(matmul(last, w.unembedding), (value, _, j) => value + w.b_u[j]) };
};

/** Pure: state in, everything that is drawn out. */
const compute = ({ trained, text, head, asks }) => {
  const tokens = [...text].map((letter) => VOCABULARY.indexOf(letter));
  const at = Math.min(asks, tokens.length - 1);
  const { looks, logits } = run(tokens, weightsOf(trained));
  const chances = logits.map(softmax);
  const order = chances[at].map((_, i) => i).sort((i, j) => chances[at][j] - chances[at][i]);
  const expected = order.slice(0, SHOWN);
  const losses = tokens.slice(1).map((token, i) => -Math.log(chances[i][token]));
  const row = looks[ALL.indexOf(head)][at];
  const whom = row.indexOf(Math.max(...row));
  return {
    text,
    at,
    whom,
    weights: [row],
    expects: expected.map((token) => [chances[at][token]]),
    expected: expected.map((token) => VOCABULARY[token]),
    loss: sumOf(losses) / losses.length,
    ...Object.fromEntries(ALL.map((name, i) => [mapName(name), looks[i]])),
  };
};

const written = (letter) => (letter === " " ? "_" : letter);
const marked = (letter) => `\`${written(letter)}\``;

/** What is wrong with a text that the model can't read. */
const says = (text, [, known, fewest]) => {
  const strange = [...text].find((letter) => !known.includes(letter));
  if (strange) return `It has learned small letters, the apostrophe and the space, and not “${strange}”.`;
  return `Type ${fewest} letters or more.`;
};

const tell = ({ text, at, whom, weights: [row], expected, expects }, { head }) => {
  const [who, back] = [marked(text[at]), at - whom];
  const far = back ? `${marked(text[whom])}, ${back} back` : "itself";
  return (
    `Head ${head.replace(".", "·")}: ${who} looks most at ${far}, with ${weightText(row[whom])}. Then the model ` +
    `expects ${marked(expected[0])}, with ${weightText(expects[0][0])}.`
  );
};

/** What takes most room of all that may be told. */
const LONGEST = {
  text: "m".repeat(MOST),
  at: MOST - 1,
  whom: 0,
  weights: [[0.5]],
  expected: ["m"],
  expects: [[0.5]],
};

function render({ model, el }) {
  const trained = model.get("trained");
  const fig = figure({
    el,
    model,
    compute: (state) => compute({ ...state, trained }),
    tell,
    answer: tell(LONGEST, { head: ALL[0] }),
    question: "A model was trained to guess the next letter. Whom do its eight heads look at in your sentence?",
    invite: "Choose a head, touch a letter, type a sentence. A space is drawn as `_`.",
  });
  const head = radios(fig, { key: "head" });
  const text = field(fig, {
    key: "text",
    says,
    also: (typed, caret) => ({ asks: Math.min(Math.max(0, (caret ?? typed.length) - 1), typed.length - 1) }),
  });
  const line = letters(fig, { key: "asks", name: "weights", most: MOST });
  const asks = slider(fig, { key: "asks", within: ({ text: typed }) => ({ max: typed.length - 1 }) });
  asks.classList.add("abh-full");
  const next = bars(fig, {
    name: "expects",
    label: "expected next",
    rows: Array(SHOWN).fill(""),
    top: 1,
    text: weightText,
    names: (x) => x.expected.map(written),
  });
  next.classList.add("abh-weight", "abh-next-letters");
  fig.stage.append(h("div.abh-read", head, text, line, asks, next));
  fig.later(() => {
    const meter = gauges(fig, {
      label: "How well it guesses your sentence, letter by letter",
      items: [{ name: "loss", label: "mean −ln p of what came, nats", top: 6 }],
    });
    return [
      meter,
      goals(fig, [
        {
          text: "Find a head and a letter that gives more than 0.9 of its weight to the letter just before it.",
          test: ({ at, weights: [row] }) => at > 0 && row[at - 1] > 0.9,
        },
        {
          text: "Let a letter give more than half of its weight to one that stands six or more places back.",
          test: ({ at, whom, weights: [row] }) => at - whom >= 6 && row[whom] > 0.5,
        },
        {
          text: "Type a sentence of at least 12 letters that it guesses with a mean below 0.65 nats.",
          test: ({ text: typed, loss }) => typed.length >= 12 && loss < 0.65,
        },
      ]),
    ];
  });
  const rows = Array.from({ length: MOST }, (_, i) => String(i));
  fig.later(() => [
    h(
      "p.abh-label",
      "All eight heads: a row for each letter that looks, a column for each that is looked at. Ink grows as the " +
        "square root of the weight.",
    ),
    h(
      "div.abh-maps",
      ...ALL.map((name) =>
        matrix(fig, {
          name: mapName(name),
          label: `head ${name.replace(".", "·")}`,
          kind: "weight",
          rows,
          cols: rows,
          bare: true,
          hidden: (x) => mapped(x[mapName(name)], (_, i, j) => j > i),
          names: (x) => ({ rows: [...x.text].map(written), cols: [...x.text].map(written) }),
        }),
      ),
    ),
  ]);
  return fig.mount();
}
export default { render, compute };
