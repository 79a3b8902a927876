// The front door: words as points (key = value), a query arrow, and the weighted average inside their hull.
// Python twin: attn/explore/first_touch.py.
import { clamp, maskScores, matmul, scaledScores, snap, softmax } from "./core.js";
import { button, dock, figure, goals, h, matrix, number, opener, plane, rich, slider, toggle } from "./draw.js";

const KEYS = ["k", "angle", "length", "second", "angle_2", "length_2", "hidden", "order", "opened"];
const LONGEST = 3.2; // the longest arrow: its tip stays in the picture
const arrow = (angle, length) => [length * Math.cos((angle * Math.PI) / 180), length * Math.sin((angle * Math.PI) / 180)];
const permute = (list, order) => order.map((index) => list[index]);

/** Pure: state in, everything that is drawn out. Rows of k, and all weights, stand in the order of the sentence. */
const compute = (state) => {
  const k = permute(state.k, state.order);
  const see = permute(state.hidden, state.order).map((hide) => !hide);
  const head = (angle, length) => {
    const q = [arrow(angle, length)];
    const scores = scaledScores(q, k);
    const weights = maskScores(scores, [see]).map(softmax);
    return { q, scores, weights, output: matmul(weights, k) };
  };
  return { k, see, ...head(state.angle, state.length), second: head(state.angle_2, state.length_2) };
};

/** The next permutation in dictionary order: the same shuffle for every reader. */
const shuffled = (order) => {
  const next = order.slice();
  let i = next.length - 2;
  while (i >= 0 && next[i] > next[i + 1]) i -= 1;
  if (i < 0) return next.reverse();
  let j = next.length - 1;
  while (next[j] < next[i]) j -= 1;
  [next[i], next[j]] = [next[j], next[i]];
  return [...next.slice(0, i + 1), ...next.slice(i + 1).reverse()];
};

/** The words, their hull, one or two queries and their outputs. */
function picture(fig, tokens) {
  const view = plane(fig, { label: "Words as points in a plane, the query as an arrow, the output as a dot inside the hull of the words" });
  const region = view.hull();
  const lines = tokens.map(() => view.weightLine());
  const words = tokens.map((token, i) => view.word(token, {
    drag: (x, y) => fig.set({ k: fig.state().k.map((row, index) => (index === i ? [x, y] : row)) }),
  }));
  const arrows = ["", "_2"].map((suffix) => view.arrow(suffix ? "query 2" : "query", {
    drag: (x, y) => fig.set({
      [`angle${suffix}`]: Math.round((Math.atan2(y, x) * 180) / Math.PI),
      [`length${suffix}`]: clamp(snap(Math.hypot(x, y), 0.1), 0, LONGEST),
    }),
  }));
  const dots = arrows.map(() => view.dot());
  fig.add((x, state) => {
    const seen = x.k.filter((_, j) => x.see[j]);
    region(seen);
    state.order.forEach((token, j) => {
      words[token](state.k[token], state.hidden[token]);
      lines[token](state.k[token], x.output[0], x.weights[0][j]);
    });
    [x, x.second].forEach(({ q, output }, index) => {
      const shown = index === 0 || state.second;
      arrows[index](q[0], { shown });
      dots[index](output[0], shown && seen.length > 0);
    });
  });
  return view.el;
}

function render({ model, el }) {
  const tokens = model.get("tokens");
  const n = tokens.length;
  const links = model.get("links");
  const fig = figure({
    el, model, name: "FirstTouch", keys: KEYS, compute,
    question: "Turn the arrow. Where does the dot go, and can it ever leave the words?",
    answer: "The dot is a weighted average of the words. It leans toward the words that the arrow points at, and it never leaves the shape that they span.",
  });
  const degrees = (value) => `${number(value)}°`;
  const angle = slider(fig, { key: "angle", label: "Turn the query", min: -180, max: 180, step: 1, role: "q", format: degrees, say: (value) => `${value} degrees` });
  const slots = Array.from({ length: n }, (_, j) => String(j + 1));
  const weights = matrix(fig, { name: "weights", label: "weights", kind: "weight", rows: ["query"], cols: slots, sum: true, values: (x) => x.weights, hidden: (x) => [x.see.map((see) => !see)] });
  // The columns wear the words in the order of the sentence.
  const heads = [...weights.el.querySelectorAll("thead th:not(.abh-sum)")];
  const sentence = h("p", { class: "abh-sentence" });
  fig.add((_, state) => {
    state.order.forEach((token, j) => { heads[j].textContent = tokens[token]; });
    sentence.replaceChildren(h("span", { class: "abh-label" }, "the sentence "), ...state.order.flatMap((token, j) => [h("span", { class: "abh-token" }, h("sub", {}, String(j + 1)), tokens[token]), " "]));
  });
  const shuffle = button("Shuffle the words", "shuffle", () => fig.jump({ order: shuffled(fig.state().order) }));
  const side = h("div", { class: "abh-side" }, sentence, weights.el);
  fig.stage.append(angle.el, h("div", { class: "abh-beside" }, picture(fig, tokens), side));
  fig.next.append(shuffle);

  fig.later(() => {
    const length = slider(fig, { key: "length", label: "Length of the query", min: 0, max: LONGEST, step: 0.1, role: "q" });
    const second = matrix(fig, { name: "weights_2", label: "weights of query 2", kind: "weight", rows: ["query 2"], cols: slots, sum: true, values: (x) => x.second.weights, hidden: (x) => [x.see.map((see) => !see)] });
    const extra = h("div", { class: "abh-row" },
      slider(fig, { key: "angle_2", label: "Turn query 2", min: -180, max: 180, step: 1, role: "q", format: degrees }).el,
      slider(fig, { key: "length_2", label: "Length of query 2", min: 0, max: LONGEST, step: 0.1, role: "q" }).el, second.el);
    fig.add((_, state) => { extra.hidden = !state.second; });
    const points = dock(fig, { matrices: [{ key: "k", label: "k = v", role: "k", rows: tokens, cols: ["x", "y"] }], values: (_, key) => fig.state()[key] });
    const table = (name, label, role, cols, values, kind = "signed") => matrix(fig, { name, label, role, kind, rows: ["query"], cols, values }).el;
    const most = (x) => Math.max(...x.weights[0]);
    return [
      h("div", { class: "abh-row" }, length.el),
      h("div", { class: "abh-row" }, h("span", { class: "abh-label" }, "Hide"), ...tokens.map((token, j) => toggle(fig, { key: "hidden", path: [j], label: token }).el),
        toggle(fig, { key: "second", label: "second query" }).el),
      extra,
      h("div", { class: "abh-flow" }, table("q", "q", "q", ["x", "y"], (x) => x.q), table("scores", "scores", "ink", slots, (x) => x.scores), table("output", "output", "v", ["x", "y"], (x) => x.output)),
      points.el,
      goals(fig, [
        { text: `Give \`${tokens[1]}\` more than 0.9 of the weight.`, test: (x, state) => x.weights[0][state.order.indexOf(1)] > 0.9 },
        { text: "Make all the weights equal. There are two ways.", test: (x) => x.see.every(Boolean) && most(x) - Math.min(...x.weights[0]) < 0.005 },
        { text: "Put the dot exactly on a word with every word in sight. How close do you get?", test: (x) => x.see.every(Boolean) && most(x) > 0.99 },
      ]).el,
    ];
  });
  opener(fig);
  const unmount = fig.mount();
  if (links.length) fig.root.append(map(fig, links, tokens));
  return unmount;
}

/** The picture as the map of the book: each button changes it, says what was seen, and names the chapter that follows from it. */
function map(fig, links, tokens) {
  const said = h("p", { class: "abh-map-said", role: "status" });
  const plain = { second: false, hidden: tokens.map(() => false) };
  const acts = {
    shuffle: () => ({ ...plain, order: shuffled(fig.state().order) }),
    length: () => ({ ...plain, angle: -5, length: fig.state().length > 2.5 ? 1 : LONGEST }),
    hide: () => ({ ...plain, hidden: tokens.map((_, j) => j === 1) }),
    second: () => ({ ...plain, second: true }),
    triangle: () => ({ ...plain, length: LONGEST, angle: Math.round(fig.state().angle + 60 > 180 ? fig.state().angle - 300 : fig.state().angle + 60) }),
    frequencies: () => plain,
  };
  const list = h("div", { class: "abh-map-list" }, ...links.map(({ act, label, says, title, href }) => button(label, `map-${act}`, () => {
    fig.jump(acts[act]());
    const shares = compute(fig.state()).weights[0].map((p, j) => `${tokens[fig.state().order[j]]} ${Math.round(100 * p)}`);
    const chapter = href ? h("a", { href }, title) : h("span", { class: "abh-later" }, `${title} (not yet written)`);
    said.replaceChildren(...rich(act === "frequencies" ? `${says} Here: ${shares.join(", ")}.` : says), " → ", chapter);
  })));
  const forget = () => said.replaceChildren(h("span", { class: "abh-invite" }, "Each button changes the picture, and each change opens a chapter."));
  fig.onReset.push(forget);
  forget();
  return h("div", { class: "abh-map" }, h("p", { class: "abh-label" }, "The same picture is the map of this book"), list, said);
}
export default { render };
