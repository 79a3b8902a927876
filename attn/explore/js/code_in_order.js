// Lines of code in an order that the reader makes. What each order computes was found by running it, at build time
// (attn/practice/arrangements.py): the table that comes with the exercise leads from line to line.
import { button } from "./draw/controls.js";
import { h, put, rich, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { record, seen } from "./draw/kept.js";
import { moved, reorder } from "./draw/reorder.js";

const HELP_AFTER = 2; // wrong checks

/** Where lines lead, one after the other: { state }, or { stops, line } where one can't run. */
const follow = ({ next }, lines) => {
  let state = 0;
  for (const line of lines) {
    const to = next[state][line];
    if (to < -1) return { stops: -2 - to, line };
    state = to;
  }
  return { state };
};

/**
 * What is to be said of some lines in an order: { kind, says, at }. `kind` is "right"; "idle", right but for a line
 * that changes nothing; "stops", where a line can't run; or "other". `at` is that line; −1 for none.
 */
const judge = (table, lines) => {
  const { state, stops, line } = follow(table, lines);
  if (stops !== undefined) return { kind: "stops", says: table.stops[stops], at: line };
  const end = table.ends[state];
  if (end >= 0) {
    const [told, entry] = table.says[end];
    return { kind: "other", says: [...told.map((meaning) => table.means[meaning]), entry].join(" "), at: -1 };
  }
  const idle = lines.find((one) => {
    const without = follow(
      table,
      lines.filter((other) => other !== one),
    );
    return without.stops === undefined && table.ends[without.state] < 0;
  });
  return idle === undefined
    ? { kind: "right", says: table.right, at: -1 }
    : { kind: "idle", says: table.idle, at: idle };
};

/** The lines above `return`, which has the last number. */
const program = ({ order, task }) => order.slice(0, order.indexOf(task.lines.length));

/** The order is all that the picture shows; what it computes is said when somebody asks. */
const compute = ({ order }) => ({ order });

/** The verdict as a sentence, with the line's number as it stands. */
const sentence = ({ kind, says, at }, lines) => {
  const nth = lines.indexOf(at) + 1;
  if (kind === "stops") return `Line ${nth} can't run. ${says}`;
  if (kind === "idle") return `Line ${nth} is idle. ${says}`;
  return kind === "right" ? `✓ ${says}` : `It runs. ${says}`;
};

/** Lines in an order as a program that runs: with what they start from, and what comes out. */
const runnable = (name, task, lines) =>
  [
    "from attn.practice.programs import PROGRAMS\n",
    `globals().update(PROGRAMS["${name}"].given())  # what the lines start from\n\n`,
    task.head,
    ...[...lines.map((line) => task.lines[line]), task.foot].map((line) => `    ${line}`),
    `\n\n${task.head.slice("def ".length, -1)}`,
  ].join("\n");

/** A line of code, to be broken at its spaces alone. */
const codeOf = (text) => h("code", ...text.split(" ").flatMap((word, i) => [i ? " " : null, h("span", word)]));

function render({ model, el }) {
  const [name, task] = [model.get("exercise"), model.get("task")];
  const foot = task.lines.length;
  const fig = figure({
    el,
    model,
    question: `*${task.title}*: put the lines in order. Some don't belong.`,
    invite: "Drag a line (rest a finger on it first), or tap it, then tap where it should go.",
    answer: `*${task.title}*: lines below \`return\` are left out. Check says what your program computes.`,
    compute,
  });
  const texts = [...task.lines, task.foot];
  const list = reorder(fig, {
    key: "order",
    column: true,
    items: texts.map(codeOf),
    names: texts,
    where: (item, order) => {
      const [place, last] = [order.indexOf(item), order.indexOf(foot)];
      return place > last ? "left out" : place === last ? "the end of the program" : `line ${place + 1}`;
    },
  });
  list.nodes[foot].classList.add("abh-return");
  const hint = h("p.abh-hint", { "data-hint": "", role: "status" });
  const lamp = h("span.abh-status", { "data-lamp": "0", "aria-hidden": "true" });
  const word = h("span.abh-word");
  const exercise = h("div.abh-exercise", { "data-exercise": name, "data-state": "open" });

  let judged = ""; // the order that was checked last
  let wrong = 0; // checks that did not pass
  const show = (state, text) => {
    exercise.dataset.state = state;
    put(lamp, "data-lamp", Number(state === "right"));
    write(lamp, state === "right" ? "✓" : "");
    write(word, { open: seen(name)?.passed ? "solved before" : "", right: "right", wrong: "not yet" }[state]);
    hint.replaceChildren(...rich(text));
  };
  const check = button("Check", "check", () => {
    const state = fig.state();
    if (judged === String(state.order)) return;
    const lines = program({ ...state, task });
    const verdict = judge(task.table, lines);
    judged = String(state.order);
    wrong += Number(verdict.kind !== "right");
    record(name, verdict.kind === "right");
    fig.markInteracted(["order"]);
    show(verdict.kind === "right" ? "right" : "wrong", sentence(verdict, lines));
    put(run, "data-code", runnable(name, task, lines));
    fig.redraw();
  });
  check.classList.add("abh-primary");
  // Where the page has Python (bookext/run.py), it runs what was put in order, in an editor below the figure.
  const run = h("button.abh-button", { type: "button", "data-python": "try" }, "Run it here");
  const misplaced = (state) => program({ ...state, task }).filter((line) => task.wrong.includes(line));
  const help = button("Leave one out for me", "help", () => {
    const { order } = fig.state();
    const [line] = misplaced({ order });
    if (line === undefined) return;
    fig.setState({ order: moved(order, order.indexOf(line), order.length - 1) });
  });
  fig.add((_, state) => {
    const [last, order] = [state.order.indexOf(foot), state.order];
    order.forEach((item, place) => list.nodes[item].classList.toggle("abh-left-out", place > last));
    if (judged && judged !== String(order)) {
      judged = "";
      show("open", "");
    }
    run.hidden = exercise.dataset.state !== "right" || !("cellsRun" in document.documentElement.dataset);
    help.hidden = wrong < HELP_AFTER || judged !== String(order) || !misplaced(state).length;
  });
  fig.onReset.push(() => {
    [judged, wrong] = ["", 0];
    show("open", "");
  });
  show("open", "");
  exercise.append(
    h("p.abh-on-paper", `${task.title}. ${task.paper}`),
    h("p.abh-asks", ...rich(task.asks)),
    h("div.abh-program", h("code.abh-head-line", task.head), list.el),
    list.said,
    h("div.abh-row.abh-check", check, lamp, word, help, run),
    hint,
  );
  fig.stage.append(exercise);
  return fig.mount();
}

export default { render, compute, judge };
