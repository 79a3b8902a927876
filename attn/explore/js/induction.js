// Complete the pattern. Two layers of attention, all of their weights in the hand.
// Python twin: attn/explore/induction.py.
import { causalMask, layerNorm, mapped, maskScores, matmul, matmulT, snap, softmax } from "./core.js";
import { choice, radios, slider, stories, toggle } from "./draw/controls.js";
import { dial } from "./draw/dial.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h, rich, scalar, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { lanes } from "./draw/lanes.js";
import { matrix } from "./draw/matrix.js";
import { number } from "./number.js";

const VOCABULARY = ["BOS", "A", "B", "0", "1"];
const WORDS = ["first", "second", "third", "fourth", "last"];
const FIRST = "A1B0A"; // what they are at first
const N_PLACES = 6;
const HOUR = (2 * Math.PI) / N_PLACES;
const D_MODEL = 17;
const [TOKEN, PLACE, BEFORE, NEXT] = [0, 5, 7, 12]; // where the lanes begin
const LANES = { next: NEXT, token: TOKEN, before: BEFORE };
const DIRECTIONS = [
  ...VOCABULARY.map((word) => `token ${word}`),
  "place, right",
  "place, up",
  ...VOCABULARY.map((word) => `before ${word}`),
  ...VOCABULARY.map((word) => `next ${word}`),
];
const PARTS = ["layer_1", "layer_2", "residual_1", "residual_2", "causal", "bos", "places"];

/** The sixteen questions with their answers, in numbers of the vocabulary. */
const QUESTIONS = [
  [1, 2],
  [2, 1],
].flatMap(([one, two]) =>
  [3, 4].flatMap((v) =>
    [3, 4].flatMap((w) => [1, 2].map((asked) => [[0, one, v, two, w, asked], asked === one ? v : w])),
  ),
);

/** Whether a word is said: its logit is above all others. */
const isSaid = (logits, word) => logits.every((other, i) => i === word || logits[word] - other > 1e-9);

/** A (17, 17) matrix with one block that is not zero. */
const withBlock = (row, col, block) => {
  const whole = Array.from({ length: D_MODEL }, () => Array(D_MODEL).fill(0));
  block.forEach((line, i) =>
    line.forEach((value, j) => {
      whole[row + i][col + j] = value;
    }),
  );
  return whole;
};

/** Rank, by elimination with the largest pivot; what is below 1e-9 counts as 0. */
const rankOf = (block) => {
  const rows = block.map((row) => row.slice());
  let found = 0;
  while (rows.length) {
    const sizes = rows.map((row) => Math.max(...row.map(Math.abs)));
    const most = Math.max(...sizes);
    if (most < 1e-9) break;
    found += 1;
    const [pivot] = rows.splice(sizes.indexOf(most), 1);
    const col = pivot.findIndex((value) => Math.abs(value) === most);
    for (const row of rows) {
      const share = row[col] / pivot[col];
      pivot.forEach((value, j) => {
        row[j] = j === col ? 0 : row[j] - share * value;
      });
    }
  }
  return found;
};

/** The logits of the last word, what each layer looks at, and the stream at the end. */
const run = (tokens, state, made) => {
  const n = tokens.length;
  const mask = state.causal ? causalMask(n) : tokens.map(() => tokens.map(() => true));
  let stream = tokens.map((token, i) => {
    const row = Array(D_MODEL).fill(0);
    row[TOKEN + token] = 1;
    if (state.places) [row[PLACE], row[PLACE + 1]] = [Math.cos(HOUR * i), Math.sin(HOUR * i)];
    return row;
  });
  const weights = [1, 2].map((layer) => {
    if (!state[`layer_${layer}`]) return tokens.map(() => tokens.map(() => 0));
    const read = state.norm === "pre" ? stream.map((row) => layerNorm(row)) : stream;
    const scores = matmulT(matmul(read, made[`w_qk_${layer}`]), read);
    const looks = maskScores(scores, mask).map(softmax);
    const said = matmul(looks, matmul(read, made[`w_ov_${layer}`]));
    const sum = state[`residual_${layer}`] ? mapped(said, (value, i, j) => value + stream[i][j]) : said;
    stream = state.norm === "post" ? sum.map((row) => layerNorm(row)) : sum;
    return looks;
  });
  const from = LANES[state.lane];
  return { stream, weights, mask, logits: stream[n - 1].slice(from, from + VOCABULARY.length) };
};

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const { bos, beta_1, beta_2, turn, look, copy, match, say } = state;
  const [cos, sin] = [Math.cos(HOUR * turn), Math.sin(HOUR * turn)];
  const hand = [
    [cos, -sin],
    [sin, cos],
  ];
  const turned = matmul(
    mapped(hand, (value) => beta_1 * value),
    look,
  );
  const made = {
    w_qk_1: withBlock(PLACE, PLACE, turned),
    w_ov_1: withBlock(TOKEN, BEFORE, copy),
    w_qk_2: withBlock(
      TOKEN,
      BEFORE,
      mapped(match, (value) => beta_2 * value),
    ),
    w_ov_2: withBlock(TOKEN, LANES[state.lane], say),
  };
  const words = [...(bos ? ["BOS"] : []), ...WORDS.map((name) => state[name])];
  const now = run(
    words.map((word) => VOCABULARY.indexOf(word)),
    state,
    made,
  );
  const right = QUESTIONS.filter(([tokens, answer]) =>
    isSaid(run(bos ? tokens : tokens.slice(1), state, made).logits, answer),
  );
  const lane = (start) => now.stream.map((row) => row.slice(start, start + VOCABULARY.length));
  return {
    ...made,
    turned,
    look,
    copy,
    match,
    say,
    words,
    says: VOCABULARY.find((_, word) => isSaid(now.logits, word)) ?? "",
    answer: [now.logits],
    weights_1: now.weights[0],
    weights_2: now.weights[1],
    hidden: [1, 2].map((layer) => mapped(now.mask, (open) => !open || !state[`layer_${layer}`])),
    stream: now.stream,
    before: lane(BEFORE),
    next: lane(NEXT),
    right_of_16: right.length,
    rank_qk_1: beta_1 ? rankOf(look) : 0,
    rank_ov_1: rankOf(copy),
    rank_qk_2: beta_2 ? rankOf(match) : 0,
    rank_ov_2: rankOf(say),
  };
};

function render({ model, el }) {
  const answer =
    "Layer 1 notes, at each word, the word before it. Layer 2 finds the note that says `A`, and says the word at " +
    "that place: `1`.";
  const fig = figure({
    el,
    model,
    compute,
    question: "Turn the hand of layer 1. Which word does the network say then?",
    invite: "Drag the hand, or the slider.",
    answer,
    tell: ({ says }, state) => {
      const spoken = says ? `the answer is \`${says}\`` : "no word is ahead";
      if (!state.layer_1 || !state.layer_2)
        return state.layer_1 || state.layer_2 ? `One layer alone: ${spoken}.` : `No layer at all: ${spoken}.`;
      const asked = WORDS.map((name) => state[name]).join("");
      if (asked === FIRST && says === "1" && Math.abs(state.turn - 1) < 0.5) return answer;
      const back = `${number(state.turn, 1)} ${state.turn === 1 ? "place" : "places"} back`;
      return `Layer 1 looks ${back}. Layer 2 looks for \`${state.last}\` in what that wrote: ${spoken}.`;
    },
  });
  const count = () => h("p.abh-label.abh-count", scalar(fig, "right_of_16", String), " of 16 questions right");
  const said = h("p.abh-big");
  fig.add((x) => write(said, x.says || "–"));
  const words = { cols: VOCABULARY, role: "v", domain: 2, fit: true };
  const logits = () =>
    matrix(fig, { ...words, name: "answer", label: "logits", rows: ["says"], rowHeads: false, bare: true });
  const turn = slider(fig, { key: "turn", role: "q" });
  const clock = dial(fig, { key: "turn", hours: N_PLACES, weights: "weights_1" });
  const rows = ["BOS", ...WORDS];
  const look = (layer) =>
    matrix(fig, {
      name: `weights_${layer}`,
      label: `what layer ${layer} looks at`,
      kind: "weight",
      rows,
      cols: rows,
      bare: true,
      fit: true,
      hidden: (x) => x.hidden[layer - 1],
      names: (x) => ({ rows: x.words, cols: x.words }),
    });
  const wrote = lanes(fig, { most: N_PLACES, hours: N_PLACES, rows: ["before", "next"], vocabulary: VOCABULARY });
  fig.stage.append(
    turn,
    h("div.abh-pattern", clock, h("div.abh-number", h("p.abh-label", "it says"), said, count()), logits()),
    wrote,
    h("div.abh-pattern-looks", look(1), look(2)),
  );
  fig.next.append(choice(fig, { key: "last" }));

  const minimap = () => h("div.abh-minimap.abh-flow", count(), logits());
  const lane = (name) =>
    matrix(fig, { ...words, name, label: `lane ${name}`, rows, names: (x) => ({ rows: x.words }) });
  const xy = ["right", "up"];
  const turned = () =>
    matrix(fig, { name: "turned", label: "look, turned, times β₁", role: "q", rows: xy, cols: xy, domain: 20 });
  // What is set here changes what stands far above on a phone: live copies of it stand between.
  fig.later(() => [
    h("div.abh-row", h("span.abh-label", "Start from"), ...stories(fig)),
    h("div.abh-row", ...WORDS.slice(0, 4).map((key) => choice(fig, { key }))),
    h("div.abh-row", radios(fig, { key: "norm" }), radios(fig, { key: "lane" })),
    minimap(),
    lane("before"),
    minimap(),
    h("div.abh-row", ...PARTS.map((key) => toggle(fig, { key }))),
    h("div.abh-minimap", look(1)),
  ]);
  fig.later(() => [
    slider(fig, { key: "beta_1" }),
    h("div.abh-flow", turned()),
    slider(fig, { key: "beta_2" }),
    h("div.abh-minimap", look(2)),
  ]);
  fig.later(() => {
    const block = (key, role) => ({ key, role, rows: VOCABULARY, cols: VOCABULARY });
    return [
      h(
        "p.abh-label",
        ...rich(
          "Four blocks. Layer 1: *look*, from place to place, and *copy*, from *token* to *before*. " +
            "Layer 2: *match*, from *token* to *before*, and *say*, from *token* to the lane of the answer.",
        ),
      ),
      matrixEditor(fig, {
        matrices: [
          { key: "look", role: "q", rows: xy, cols: xy },
          block("copy", "v"),
          block("match", "q"),
          block("say", "v"),
        ],
        minimaps: [h("div.abh-minimap.abh-flow", turned(), count(), logits()), minimap(), minimap(), minimap()],
      }),
    ];
  });
  fig.later(() => {
    const square = { rows: DIRECTIONS, cols: DIRECTIONS, bare: true };
    const product = (name, label, role, domain) => {
      const rank = scalar(fig, `rank_${name.slice(2)}`, String);
      return h("div", matrix(fig, { ...square, name, label, role, domain }), h("p.abh-label", "rank ", rank));
    };
    const whole = matrix(fig, {
      name: "stream",
      label: "the stream at the end",
      bare: true,
      rows,
      cols: DIRECTIONS,
      domain: 2,
    });
    return [
      h("div.abh-flow", lane("next")),
      h(
        "div.abh-products",
        whole,
        product("w_qk_1", "1: W_Q W_Kᵀ", "q", 10),
        product("w_ov_1", "1: W_V W_O", "v", 1),
        product("w_qk_2", "2: W_Q W_Kᵀ", "q", 10),
        product("w_ov_2", "2: W_V W_O", "v", 1),
      ),
    ];
  });
  fig.later(() => {
    const all = (x) => x.right_of_16 === 16;
    const off = (state) => PARTS.filter((key) => !state[key]).length;
    return [
      goals(fig, [
        {
          text: "With the words as they are at first, let it say `B`.",
          test: (x, state) => x.says === "B" && WORDS.map((name) => state[name]).join("") === FIRST,
        },
        {
          text: "All sixteen right, with *β*₁ + *β*₂ at 5 or less.",
          test: (x, state) => all(x) && snap(state.beta_1 + state.beta_2, 0.001) <= 5,
        },
        {
          text: "All sixteen right, with the answer in the lane *token*.",
          test: (x, state) => all(x) && state.lane === "token",
        },
        {
          text: "All sixteen right without `BOS`: the first name has nothing to look back to.",
          test: (x, state) => all(x) && !state.bos,
        },
        {
          text: "All sixteen right with three of the seven parts switched off at once.",
          test: (x, state) => all(x) && off(state) >= 3,
        },
        {
          text: "One layer alone, the other switched off: twelve of sixteen right.",
          test: (x, state) => x.right_of_16 >= 12 && state.layer_1 !== state.layer_2,
        },
      ]),
    ];
  });
  return fig.mount();
}
export default { render, compute };
