// A trained model reads a sentence of the reader's own. Python twin: attn/explore/read_along.py.
import {
  causalMask,
  clamp,
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
import { nativeInput, radios, slider } from "./draw/controls.js";
import { h, put, rich, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { dragState } from "./draw/pointer_drag.js";
import { weightText } from "./number.js";
import { fitsText } from "./states.js";

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
const wrongIn = (text, [known, fewest]) => {
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

/**
 * A native text field for the reader's sentence. A text that keeps the rule of its link is taken at once, capitals as
 * small letters, and the letter before the caret asks; of any other it tells what is wrong, and the figure stays as it
 * was. Where the caret stands is the browser's: the field is written to only where the trait holds something else than
 * what was typed. It takes no more letters than are read, and says so when it is full.
 */
function field(fig) {
  const [, ...limits] = fig.model.get("rules").text;
  const input = nativeInput("input.abh-field.abh-typed", {
    type: "text",
    name: "text",
    size: MOST,
    maxlength: MOST,
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "done",
  });
  const hint = h("p.abh-typed-hint", { role: "status" });
  const typed = () => input.value.toLowerCase();
  const judge = (text) => {
    const good = fitsText(text, limits);
    put(input, "aria-invalid", !good);
    const full = text.length === MOST ? `This is all that it takes: ${MOST} letters.` : "";
    write(hint, good ? full : wrongIn(text, limits));
    return good;
  };
  let kept = null; // the text that the field was last in step with
  const send = (final) => {
    const text = typed();
    if (!judge(text)) return;
    kept = text;
    const asks = { asks: clamp((input.selectionStart ?? text.length) - 1, 0, text.length - 1) };
    const same = text === fig.state().text;
    if (same && !final) return;
    fig.markInteracted(["text"]);
    fig.set({ text, ...(same ? {} : asks) }, { final });
  };
  input.addEventListener("input", () => send(false));
  input.addEventListener("change", () => fitsText(typed(), limits) && send(true));
  input.addEventListener("keydown", (event) => event.key === "Enter" && input.blur());
  fig.onReset.push(() => {
    kept = null;
  });
  fig.add((_, { text }) => {
    if (text === kept) return;
    kept = text;
    if (typed() !== kept) input.value = kept;
    judge(kept);
  });
  const label = h("span.abh-label", ...rich(fig.control("text").label));
  return h("div.abh-typing-room", h("label.abh-typing", label, input), hint);
}

/**
 * The text in a line, or in lines that follow each other; over each letter a bar as high as its weight, and the number;
 * what comes after the letter that asks is hatched. A tap on a letter lets it ask, and a hand that moves along goes on
 * from letter to letter; a slider does the same for the keyboard. It is a matrix of one row, so that what it shows can
 * be read and tested.
 */
function letters(fig) {
  const cells = Array.from({ length: MOST }, (_, j) => {
    const num = h("span.abh-num");
    const bar = h("i.abh-letter-bar", { "aria-hidden": "true" });
    const word = h("b.abh-letter");
    const el = h("div.abh-letter-cell", { "data-row": 0, "data-col": j }, num, h("span.abh-letter-well", bar), word);
    return { el, num, bar, word };
  });
  const line = h("div.abh-letters.abh-weight", { "data-matrix": "weights" });
  /** The letter that is nearest to a place on the screen. */
  const nearest = ({ clientX, clientY }) => {
    const far = [...line.children].map((cell) => {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      return Math.hypot(clientX - clamp(clientX, left, right), clientY - clamp(clientY, top, bottom));
    });
    return far.indexOf(Math.min(...far));
  };
  const ask = (event) => {
    const asks = nearest(event);
    if (asks === fig.state().asks) return;
    fig.markInteracted(["asks"]);
    fig.set({ asks });
  };
  dragState(fig, line, { start: ask, move: ask, scrolls: true });
  let shown = 0;
  fig.add(({ text, at, weights: [row] }) => {
    if (shown !== text.length) line.replaceChildren(...cells.slice(0, (shown = text.length)).map(({ el }) => el));
    [...text].forEach((letter, j) => {
      const { el, num, bar, word } = cells[j];
      put(el, "data-value", row[j]);
      el.classList.toggle("abh-letter-asks", j === at);
      el.classList.toggle("abh-letter-later", j > at);
      el.classList.toggle("abh-letter-least", row[j] < 0.01);
      write(word, written(letter));
      write(num, weightText(row[j]));
      bar.style.transform = `scaleY(${clamp(row[j], 0, 1)})`;
    });
  });
  return line;
}

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
  const [text, line] = [field(fig), letters(fig)];
  const asks = slider(fig, { key: "asks", within: ({ text: typed }) => ({ max: typed.length - 1 }) });
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
