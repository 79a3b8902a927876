// An exercise by hand: what is given, and steps with cells to fill; each answers when it is full, and a wrong number
// is told which mistake gives it. Its Python class says the words, and what is right and wrong in each round
// (attn/practice/exercise.py).
import { mapped, matrixFrom } from "../core.js";
import { needed, readNumber } from "../number.js";
import { button, nativeInput, slider } from "./controls.js";
import { h, plainly, put, rich, write } from "./elements.js";
import { figure } from "./figure.js";
import { goalStatus, showStatus } from "./goals.js";
import { record, seen } from "./kept.js";
import { chip } from "./matrix.js";

const NARROW = 0.005; // two decimals
const EDGE = 1e-9;
const ROUGHLY = 4; // times the tolerance it still looks like the right answer, rounded too early
const MOST_NAMED = 3; // of the right numbers in a wrong answer
const HELP = 3; // wrong tries of a step until it can be shown

/** The one slip that explains all wrong cells: [name, hint]. `near` tells whether a cell of the answer is a number. */
function slipped(slips, ways, cells, near) {
  const fitting = slips.filter((_, place) => {
    const { cells: alone, whole } = ways[place];
    return (
      cells.every(([i, j]) => alone[i][j].some((value) => near(value, i, j))) ||
      whole.some((values) => cells.every(([i, j]) => near(values[i][j], i, j)))
    );
  });
  if (String(fitting.map(([name]) => name)) === "other-sign,minus-lost") return fitting[0];
  return fitting.length === 1 ? fitting[0] : null;
}

/**
 * Whether an answer is right, or what explains it: { right, mistake, hint, cells }. A mistake explains it if each
 * cell is what the mistake gives, or right, and some cell is wrong; one that gives all cells comes before one that
 * gives some.
 */
function verdict(spec, { rounded, slips }, round, answer) {
  const { name, tolerance, hints, remind } = spec;
  const near = (value, i, j, times = 1) =>
    value !== null && Math.abs(answer[i][j] - value) <= times * tolerance + EDGE;
  const wanted = round.known[name];
  const isRight = (i, j) => near(wanted[i][j], i, j);
  const every = (test) => answer.every((row, i) => row.every((_, j) => test(i, j)));
  const cells = answer.flatMap((row, i) => row.flatMap((_, j) => (isRight(i, j) ? [] : [[i, j]])));
  if (!cells.length) return { right: true, mistake: "", hint: "", cells };
  const wrong = round.wrong[name];
  const told = hints.map((hint) => ["known", hint]);
  const explained = (test) => told[wrong.findIndex((values) => every((i, j) => test(values[i][j], i, j)))];
  const roughly = () => tolerance > NARROW && every((i, j) => near(wanted[i][j], i, j, ROUGHLY));
  const [mistake, hint] = explained(near) ??
    explained((value, i, j) => isRight(i, j) || near(value, i, j)) ??
    (roughly() ? ["rounded", rounded] : slipped(slips, round.slips[name], cells, near)) ?? ["", remind];
  return { right: false, mistake, hint, cells };
}

/** What a pencil doesn't have: numbers to look up, each below what it is of, and a word on them. */
const aidOf = ({ title, names, entries, note }) => {
  const entry = ([of, ...values]) =>
    h(
      "div",
      h("dt", ...rich(of)),
      ...values.map((value, i) => h("dd", names.length > 1 ? h("span", `${names[i]} `) : null, value)),
    );
  return h(
    "div.abh-hand-aid",
    h("p.abh-label", ...rich(title)),
    h("dl", { "aria-label": plainly(title) }, ...entries.map(entry)),
    note ? h("p.abh-label", ...rich(note)) : null,
  );
};

/** A table of cells that hold a number each, or a field to type one into. */
function sheetOf({ name, label, rows, cols, role }) {
  const cells = matrixFrom(rows.length, cols.length, (i, j) => h("td", { "data-row": i, "data-col": j }));
  // The chip stands where it costs no line: in the corner, or before a row that has no name.
  const [above, named] = [cols.some(Boolean), rows.some(Boolean)];
  const own = () => chip(label, "", role);
  const head = h(
    "tr",
    h("td.abh-corner", named ? own() : null),
    ...cols.map((text) => (text ? h("th", { scope: "col" }, ...rich(text)) : h("td.abh-corner"))),
  );
  const lines = rows.map((text, i) =>
    h("tr", text || !i ? h("th", { scope: "row" }, ...(text ? rich(text) : [own()])) : h("td"), ...cells[i]),
  );
  const el = h(
    `div.abh-matrix.abh-role-${role}`,
    named && !above ? h("div.abh-matrix-head", own()) : null,
    h("table", above ? h("thead", head) : null, h("tbody", ...lines)),
  );
  const frame = { tabindex: 0, role: "group", "aria-label": `${plainly(label)}, all columns` };
  /** On a narrow phone it may scroll in its frame; while it has fields to type into, these are what keys reach. */
  const framed = (on) => {
    for (const [key, value] of Object.entries(frame)) {
      if (on && cols.length > 3) put(el, key, value);
      else el.removeAttribute(key);
    }
  };
  /** Show numbers: a matrix like any other. */
  const fill = (values) => {
    put(el, "data-matrix", name);
    framed(true);
    mapped(cells, (cell, i, j) => {
      put(cell, "data-value", values[i][j]);
      write(cell, needed(values[i][j], 0, 3));
    });
  };
  /** Put a field into each cell. */
  const ask = (fields) => {
    el.removeAttribute("data-matrix");
    framed(false);
    mapped(cells, (cell, i, j) => {
      cell.removeAttribute("data-value");
      cell.replaceChildren(fields[i][j]);
    });
  };
  return { el, fill, ask, framed };
}

/** A step: its sentence, its table, its fields. `send` is called when somebody is done with a field. */
function stepOf(spec, place, send) {
  const table = sheetOf(spec);
  const status = h("span.abh-hand-mark");
  const fields = matrixFrom(spec.rows.length, spec.cols.length, (i, j) =>
    nativeInput("input.abh-hand-field", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      enterkeyhint: "next",
      "data-answer": `${spec.name}.${i}.${j}`,
      "aria-label": [spec.label, spec.rows[i], spec.cols[j]].filter(Boolean).map(plainly).join(", "),
    }),
  );
  const el = h(
    "div.abh-hand-step",
    { "data-step": spec.name, "data-state": "open" },
    h("p.abh-hand-says", h("b", `${place + 1}. `), ...rich(spec.says), " ", status),
    table.el,
  );
  const all = fields.flat();
  const step = { el, spec, table, fields, all, tries: 0, judged: "", shown: false, off: [] };
  step.texts = () => all.map((field) => field.value.trim());
  step.is = (state, words = "") => {
    put(el, "data-state", state);
    write(status, words);
    const waiting = state === "waiting";
    for (const field of all) field.disabled = waiting;
    if (waiting || state === "open") table.framed(waiting);
  };
  /** Mark the cells that the last try had wrong, and those that it had right. */
  step.mark = () => {
    const off = step.off.map(([i, j]) => fields[i][j]);
    for (const field of off) field.setAttribute("aria-invalid", "true");
    for (const field of off.length ? all : []) if (!off.includes(field)) put(field, "data-right", true);
  };
  step.unmark = (some = all) => {
    for (const field of some) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("data-right");
    }
  };
  step.clear = () => {
    [step.tries, step.judged, step.shown, step.off] = [0, "", false, []];
    for (const field of all) field.value = "";
    step.unmark();
  };
  mapped(fields, (field, i, j) => {
    field.addEventListener("change", () => send(false));
    field.addEventListener("input", () => step.unmark([field]));
    field.addEventListener("focus", () => field.select());
    field.addEventListener("keydown", (event) => {
      const { selectionStart: from, selectionEnd: to, value } = field;
      const whole = from === 0 && to === value.length;
      const moves = {
        ArrowUp: fields[i - 1]?.[j],
        ArrowDown: fields[i + 1]?.[j],
        ArrowLeft: whole || to === 0 ? fields[i][j - 1] : null,
        ArrowRight: whole || from === value.length ? fields[i][j + 1] : null,
      };
      if (moves[event.key]) {
        event.preventDefault();
        moves[event.key].focus();
        return;
      }
      const last = all.at(-1) === field;
      if (event.key === "Enter") {
        event.preventDefault();
        const empty = all.find((other) => !other.value.trim());
        if (empty && empty !== field) empty.focus();
        else send(true);
      } else if (event.key === "Tab" && !event.shiftKey && last && send(true)) event.preventDefault();
    });
  });
  return step;
}

/** Which numbers of a wrong answer are right: "1.05 is right. ", or how many. */
function rightText({ fields, all }, off) {
  const right = all.filter((field) => !off.some(([i, j]) => fields[i][j] === field)).map(({ value }) => value.trim());
  if (!right.length) return "";
  if (right.length > MOST_NAMED) return `${right.length} of the ${all.length} numbers are right. `;
  const last = right.pop();
  return right.length ? `${right.join(", ")} and ${last} are right. ` : `${last} is right. `;
}

const knownIn = ({ draws, seed }) => draws.rounds[seed].known;

function renderExercise({ model, el }) {
  const words = model.get("exercise");
  const draws = model.get("draws");
  const count = words.steps.length;
  // Who has solved it with so many steps missing gets one more; nobody sees that from outside.
  const solved = words.steps.filter((_, place) => seen(`${words.name}.level-${place + 1}`)?.passed).length;
  if (model.get("missing") === 1 && solved) model.set("missing", Math.min(count, solved + 1));
  const invite = "Type a number into each empty cell: 0.33, 1/3 or −2. Two decimals are enough.";
  const fig = figure({
    el,
    model,
    question: words.title,
    invite,
    answer: `${words.title}. ${invite}`,
    compute: (state) => knownIn({ ...state, draws }),
  });
  fig.root.classList.add("abh-by-hand");
  const givens = words.givens.map((spec) => ({ spec, table: sheetOf(spec) }));
  let [known, first, open, drawn, chosen] = [null, 0, 0, "", false];
  let last = null; // the field that was typed into last

  const hint = h("p.abh-hand-hint", { "data-hint": "", "aria-live": "polite" });
  const done = h("p.abh-hand-done", { role: "status" });
  const exercise = h("div.abh-hand", { "data-exercise": words.name, "data-state": "open" });
  const list = words.steps.map((spec, place) => stepOf(spec, place, (move) => judge(move)));
  const type = (change) => () => {
    const field = last?.isConnected ? last : list[open]?.all[0];
    if (!field || field.disabled) return;
    field.value = change(field.value.trim());
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  };
  const onmousedown = (event) => event.preventDefault(); // the field keeps the focus, a phone its keyboard
  const key = (text, label, change) =>
    h("button.abh-key", { type: "button", "aria-label": label, onmousedown, onclick: type(change) }, text);
  const check = button("Check", "check", () => judge(true, true));
  const show = button("Show me this step", "show-step", () => {
    if (!list[open] || show.hidden) return;
    list[open].shown = true;
    pass("shown");
  });
  const sign = key("±", "Change the sign", (text) => (/^[-−]/.test(text) ? text.slice(1) : `−${text}`));
  const fraction = key("/", "Fraction bar", (text) => `${text}/`);
  const desk = h("div.abh-hand-controls", h("div.abh-row", sign, fraction, check, show), hint);
  exercise.addEventListener("focusin", (event) => {
    if (event.target.matches("input")) last = event.target;
  });

  const begin = (place, focus) => {
    open = place;
    write(hint, "");
    show.hidden = true;
    desk.hidden = place >= count;
    if (place >= count) return finish(focus);
    list[place].is("open");
    list[place].el.append(desk);
    last = null;
    if (focus) list[place].all[0].focus();
    return null;
  };
  const alone = () => !list.some(({ shown }) => shown);
  const finish = (focus) => {
    const status = goalStatus({ "aria-hidden": "true" });
    showStatus(status, alone());
    put(exercise, "data-state", alone() ? "right" : "open");
    const said = alone() ? "Solved. " : "That is how it goes, with a step shown. ";
    done.replaceChildren(status, h("span", said, next().text));
    if (alone()) {
      record(`${words.name}.level-${count - first}`, true);
      record(words.name, true);
    }
    if (focus) more.focus();
    return null;
  };
  /** What "New numbers" brings after this. */
  const next = () => {
    const grows = alone() && !chosen && first > 0;
    return {
      missing: count - first + Number(grows),
      text: grows ? "The next numbers leave one step more to you." : "Take new numbers, and do it again.",
    };
  };
  const pass = (how, focus = true) => {
    const step = list[open];
    step.table.fill(known[step.spec.name]);
    step.is(how, how === "right" ? "✓ right" : "shown");
    begin(open + 1, focus);
  };
  /** Judge the open step if all of its cells are full; true if that passed it. `move` takes the focus along. */
  const judge = (move, asked = false) => {
    const step = list[open];
    if (!step) return false;
    const texts = step.texts();
    const empty = texts.indexOf("");
    if (empty >= 0) {
      if (asked) {
        write(hint, texts.every((text) => !text) ? "Fill the cells first." : "A cell is still empty.");
        step.all[empty].focus();
      }
      return false;
    }
    if (texts.join("|") === step.judged) {
      step.mark(); // typed once more: the marks stay
      return false;
    }
    [step.judged, step.off] = [texts.join("|"), []];
    const numbers = mapped(step.fields, (field) => readNumber(field.value));
    const unread = step.all.filter((_, place) => Number.isNaN(numbers.flat()[place]));
    step.unmark();
    if (unread.length) {
      for (const field of unread) field.setAttribute("aria-invalid", "true");
      write(hint, `“${unread[0].value.trim()}” is no number that can be read here. Write 0.33, 1/3 or −2.`);
      return false;
    }
    const found = verdict(step.spec, words, draws.rounds[fig.state().seed], numbers);
    if (found.right) {
      pass("right", move);
      return true;
    }
    step.tries += 1;
    record(words.name, false);
    const column = (text) => (/^\d+$/.test(text) ? `column ${text}` : text);
    const where = found.cells.map(([i, j]) => [step.spec.rows[i], column(step.spec.cols[j])].filter(Boolean));
    const between = where.some((names) => names.length > 1) ? "; " : ", ";
    const listed = where.map((names) => names.join(", ") || "it").join(between);
    const told = step.tries > 1 && step.all.length > 1 ? ` Look at ${listed}.` : "";
    // What is only rounded is "Nearly."
    const lead = found.mistake === "rounded" ? "" : `Not yet. ${rightText(step, found.cells)}`;
    hint.replaceChildren(...rich(lead + found.hint + told));
    step.off = found.cells;
    step.mark();
    show.hidden = step.tries < HELP;
    return false;
  };

  const fresh = (numbers, { seed, missing }) => {
    if (drawn === `${seed} ${missing}`) return;
    drawn = `${seed} ${missing}`;
    known = numbers;
    first = count - missing;
    put(exercise, "data-seed", seed);
    put(exercise, "data-state", "open");
    done.replaceChildren();
    for (const { spec, table } of givens) table.fill(known[spec.name]);
    list.forEach((step, place) => {
      step.clear();
      if (place < first) {
        step.table.fill(known[step.spec.name]);
        step.is("given");
      } else {
        step.table.ask(step.fields);
        step.is("waiting");
      }
    });
    begin(first, false);
  };
  fig.add(fresh);
  fig.onReset.push(() => {
    [drawn, chosen] = ["", false];
  });

  const level = slider(fig, { key: "missing", format: (value) => words.levels[value - 1] });
  level.addEventListener("input", () => {
    chosen = true;
  });
  const more = button("New numbers", "new-numbers", () => {
    const { seed } = fig.state();
    fig.setState({
      seed: (seed + 1) % draws.rounds.length,
      missing: exercise.dataset.state === "right" ? next().missing : count - first,
    });
  });
  exercise.append(
    h("p.abh-hand-task", ...rich(words.task)),
    h("div.abh-flow.abh-hand-givens", ...givens.map(({ table }) => table.el)),
    ...(words.aid ? [aidOf(words.aid)] : []),
    ...list.map((step) => step.el),
    done,
  );
  fig.stage.append(exercise, h("div.abh-row.abh-hand-again", level, more));
  return fig.mount();
}

/** What renders an exercise, and its numbers from a state. */
export const byHand = { compute: knownIn, render: renderExercise };
