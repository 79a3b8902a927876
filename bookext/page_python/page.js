// What a press on *Run*, *Edit* or *Check* brings: Python in a worker (worker.js), one for each visit of a page, and an
// editor for each cell that is edited. Nothing of it is loaded before. What a cell shows stands below it, beside what
// the book printed; what a reader changes is kept on the device until *Reset*.
import { figuresOf } from "./figures.js";
import { harmless, make } from "./harmless.js";
import { record } from "./kept.js";
import { isObject, readStored, writeStored } from "./stored.js";

const base = new URL("./", import.meta.url);
const html = document.documentElement;
const KEPT = "attention-by-hand:code";
const MOST = 5_000; // messages of one run
/** What comes while a cell waits for it. */
const WORDS = {
  library: "the rest of Python's library",
  rest: "modules that few cells need",
  check: "the checkers",
  figures: "the figures",
  plots: "matplotlib",
  sources: "the book's own code, to be read",
};
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

// ---------------------------------------------------------------- the page's cells

let told = null; // { manifest, cells }: what Python is made of, and the code of the page
const cells = new Map(); // index → { index, code, kind, bar, … }
let page = ""; // the page's name, "chapters/03_masking"

/** The text of each cell as the reader has it now. */
const codeOf = (cell) => cell.text ?? cell.code;

const learn = async ({ name, cells: file }) => {
  page = name;
  told ??= await Promise.all(
    ["manifest.json", `../cells/${file}`].map(async (one) => {
      const answer = await fetch(new URL(one, base));
      if (!answer.ok) throw new Error(`${one}: the server answered ${answer.status}`);
      return answer.json();
    }),
  ).then(([manifest, found]) => ({ manifest, cells: found }));
  if (cells.size) return;
  for (const cell of told.cells) {
    cells.set(cell.index, cell);
    cell.frame = document.querySelector(`.abh-cell-${cell.index}`);
    cell.bar = document.querySelector(`.abh-run[data-cell="${cell.index}"]`);
    cell.shown = cell.bar?.parentElement.querySelector(".highlight");
  }
};

// ---------------------------------------------------------------- what is kept

const everyPage = () => {
  const found = readStored("localStorage", KEPT);
  return isObject(found) ? found : {};
};

const keep = () => {
  const all = everyPage();
  const own = [...cells.values()].filter(
    (cell) => cell.text !== undefined && cell.text !== cell.code && cell.kind !== "try",
  );
  delete all[page];
  if (own.length) all[page] = own.map(({ index, text, code }) => ({ index, text, of: code }));
  return writeStored("localStorage", KEPT, all);
};

/** Bring back what a reader changed on this page. Nothing runs. */
export async function restore(where) {
  await learn(where);
  const own = everyPage()[page];
  for (const kept of Array.isArray(own) ? own : []) {
    const cell = isObject(kept) ? cells.get(kept.index) : null;
    if (!cell?.bar || typeof kept.text !== "string" || kept.text.length > 100_000) continue;
    await edit(cell, kept.text, false);
    if (kept.of !== cell.code)
      say(cell, "The book's code has changed since you changed it. Reset shows the new one.");
  }
}

// ---------------------------------------------------------------- output

/** Where a cell's output goes, made once: a line that says how it stands, and what the cell shows. */
const outputOf = (cell) => {
  if (cell.output) return cell.output;
  const says = make("p", { class: "abh-ran-says", role: "status" });
  const body = make("div", { class: "abh-ran-out" });
  const box = make("div", { class: "abh-ran" }, says, body);
  const code = cell.bar.parentElement;
  const folded = cell.bar.closest("details.abh-fold, details.hide");
  (folded ?? (code.matches(".cell") ? cell.bar : code)).after(box);
  cell.output = { box, says, body };
  return cell.output;
};

const say = (cell, ...words) => outputOf(cell).says.replaceChildren(...words);

const show = (cell, out) => {
  const { body } = outputOf(cell);
  if (out.clear) body.replaceChildren();
  if (typeof out.text === "string") {
    const last = body.lastElementChild;
    if (last?.matches("pre")) last.append(out.text);
    else body.append(make("pre", {}, out.text));
  }
  if (typeof out.html === "string") body.append(make("div", { class: "abh-ran-shown" }, ...harmless(out.html)));
  if (typeof out.figure === "string") figures.place(cell, body, out, number);
};

/** Below a cell, an error of it or of one before it, in words: its place, and the rest on request. */
const showError = (cell, failed, { error, line, whole }) => {
  if (line > 0) failed.editor?.made.lines[line]?.classList.add("abh-wrong-line");
  const begins = codeOf(failed).trim().split("\n")[0].slice(0, 40);
  const place = line > 0 ? ` (line ${line}${failed === cell ? "" : ` of the cell that begins “${begins}”`})` : "";
  outputOf(cell).body.append(
    make("p", { class: "abh-ran-error" }, `${error}${place}`),
    make("details", {}, make("summary", {}, "the whole message"), make("pre", {}, whole)),
  );
};

const unmark = (cell) => cell.editor?.host.querySelector(".abh-wrong-line")?.classList.remove("abh-wrong-line");

// ---------------------------------------------------------------- Python

let worker = null;
let leave = null; // ends the wait for a start
let ran = new Map(); // index → the text that ran
let running = null; // { number, cell, ends }
let number = 0;
const figures = figuresOf((message) => worker?.postMessage(message));

const end = (words) => {
  worker?.terminate();
  worker = null;
  leave?.(new Error(words));
  ran = new Map();
  figures.loosenAll();
  const was = running;
  running = null;
  was?.ends({ stopped: words });
};

const start = (cell) => {
  const { runtime, archives, first } = told.manifest;
  const all = [...Object.values(runtime), ...first.map((name) => archives[name])].reduce(
    (sum, { bytes }) => sum + bytes,
    0,
  );
  worker = new Worker(new URL("worker.js", base));
  const mine = worker;
  say(cell, `Python starts: 0 of ${megabytes(all)}`);
  const started = new Promise((resolve, reject) => {
    leave = reject;
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === mine) end("Python ended. The next press starts it anew.");
    };
    worker.onmessage = ({ data }) => {
      if (worker !== mine || !isObject(data)) return;
      if (data.ready) resolve();
      if (Number.isFinite(data.progress))
        say(
          cell,
          data.progress < all ? `Python starts: ${megabytes(data.progress)} of ${megabytes(all)}` : "Python starts …",
        );
      if (typeof data.loads === "string" && target)
        say(target, `Loads ${WORDS[data.loads]}, ${megabytes(data.bytes)} …`);
      if (data.loads === null && target) say(target, "Runs …");
      if (data.failed) {
        const last = String(data.failed).trim().split("\n").at(-1);
        end(`Python ended: ${last.replace(/\.$/, "")}. The next press starts it anew.`);
      }
      hear(data);
    };
  });
  worker.postMessage({ start: told.manifest });
  return started;
};

const hear = (data) => {
  if (isObject(data.out)) {
    const cell = running?.number === data.run ? running.cell : (owners.get(data.run) ?? null);
    if (running?.number === data.run && (running.heard += 1) > MOST) {
      end("This cell sent more than a page can show, so it was stopped. The next press starts Python anew.");
      return;
    }
    if (cell && !(running?.quiet && running.number === data.run)) show(cell, data.out);
    else if (cell && typeof data.out.figure === "string")
      figures.place(cell, cell.output?.body ?? make("div"), data.out, number);
  }
  if (isObject(data.set) && typeof data.figure === "string") figures.move(data.figure, data.set);
  if (isObject(data.done) && running?.number === data.run) {
    const was = running;
    running = null;
    was.ends(data.done);
  }
};

/** Run one cell; what it ended with. */
const runOne = (cell, quiet) => {
  const code = codeOf(cell);
  number += 1;
  owners.set(number, cell);
  ran.set(cell.index, code);
  return new Promise((ends) => {
    running = { number, cell, ends, quiet, heard: 0 };
    worker.postMessage({ run: number, code, name: `cell ${cell.index}` });
  });
};

const owners = new Map(); // a run's number → its cell
let target = null; // the cell that was pressed

/** The cells that come before one and have not run as they are now. Answers and their solutions are not among them. */
const before = (cell) =>
  told.cells.filter(
    (one) => cell.kind !== "try" && one.index < cell.index && one.kind === "" && ran.get(one.index) !== codeOf(one),
  );

const runCell = async (cell) => {
  if (target) return;
  target = cell;
  mark();
  outputOf(cell).body.replaceChildren();
  unmark(cell);
  try {
    const first = before(cell);
    if (!worker) await start(cell);
    for (const [place, one] of (worker ? before(cell) : []).entries()) {
      say(
        cell,
        first.length > 1
          ? `Runs the cells before this one: ${place + 1} of ${first.length} …`
          : "Runs the cell before this one …",
      );
      const ended = await runOne(one, one.text === undefined);
      if (ended.stopped) throw new Error(ended.stopped);
      if (ended.error) {
        ran.delete(one.index);
        say(cell, "A cell before this one failed, so this one did not run.");
        showError(cell, one, ended);
        return;
      }
    }
    say(cell, "Runs …");
    delete cell.shows;
    const here = performance.now();
    const tick = setInterval(() => {
      const passed = (performance.now() - here) / 1000;
      if (passed > 2) say(cell, `Runs for ${passed.toFixed(0)} s …`);
    }, 1000);
    const ended = await runOne(cell, false).finally(() => clearInterval(tick));
    if (ended.stopped) throw new Error(ended.stopped);
    const seconds = ((performance.now() - here) / 1000).toFixed(2);
    const own = cell.text !== undefined && cell.text !== cell.code;
    const shows = cell.shows ?? (outputOf(cell).body.childElementCount || ended.error ? "" : "it shows nothing");
    say(cell, `${own ? "Your code ran" : "Ran"} here in ${seconds} s${shows ? `; ${shows}.` : ":"}`);
    if (ended.error) showError(cell, cell, ended);
    note(cell, ended.tried);
  } catch (error) {
    say(cell, String(error.message));
  } finally {
    target = null;
    mark();
  }
};

/** A try of an exercise counts in Practice; the book's own solution is none. */
const note = (cell, tried) => {
  if (cell.kind === "solution" || !Array.isArray(tried)) return;
  for (const [name, passed] of tried) {
    try {
      record(String(name), passed === true);
    } catch {
      continue; // no name of an exercise
    }
    if (passed === true) outputOf(cell).says.append(" It counts in Practice.");
  }
};

// ---------------------------------------------------------------- buttons

const button = (cell, kind) => cell.bar.querySelector(`[data-python="${kind}"]`);

/** The buttons say what a press does now. */
const mark = () => {
  for (const cell of cells.values()) {
    if (!cell.bar) continue;
    const first = button(cell, "run");
    first.dataset.word ??= first.textContent;
    first.textContent = target === cell ? "Stop" : first.dataset.word;
    first.toggleAttribute("data-stops", target === cell);
    first.setAttribute("aria-disabled", String(Boolean(target) && target !== cell));
    const changed = cell.text !== undefined;
    button(cell, "edit").hidden = changed;
    for (const kind of ["reset", "notebook"]) {
      let other = button(cell, kind);
      if (!other && changed) {
        other = make("button", { type: "button", "data-python": kind }, kind === "reset" ? "Reset" : "Notebook");
        if (kind === "notebook") other.title = "Take the page's notebook with your changes";
        cell.bar.append(other);
      }
      if (other) other.hidden = !changed;
    }
  }
};

/** A press on a button of a cell. */
export async function press(pressed, where) {
  await learn(where);
  const kind = pressed.dataset.python;
  if (kind === "try") {
    await tryOut(pressed);
    return;
  }
  const cell = cells.get(Number(pressed.closest(".abh-run").dataset.cell));
  if (kind === "run" && target === cell) end("Stopped. The next press starts Python anew.");
  else if (kind === "run") await runCell(cell);
  else if (kind === "edit") await edit(cell, cell.code, true);
  else if (kind === "reset") reset(cell);
  else if (kind === "notebook") await takeAway();
}

/** Lines that a reader put in order, in an editor of their own below the figure: it runs them. */
const tryOut = async (pressed) => {
  const slot = pressed.closest(".abh-slot");
  if (!slot) return; // the figure has moved on meanwhile
  const code = pressed.dataset.code;
  const last = slot.nextElementSibling;
  if (last?.matches(".abh-tried")) last.remove();
  const index = 100_000 + cells.size;
  const run = make("button", { type: "button", "data-python": "run" }, "Run");
  const edited = make("button", { type: "button", "data-python": "edit" }, "Edit");
  const bar = make("div", { class: "abh-run", "data-cell": index }, run, edited);
  const shown = make("div", { class: "highlight" });
  const box = make("div", { class: `abh-tried cell abh-cell-${index}` }, make("div", {}, shown, bar));
  slot.after(box);
  const cell = { index, code, kind: "try", bar, shown, frame: box };
  cells.set(index, cell);
  await edit(cell, code, false);
  await runCell(cell);
};

/** The page's notebook, with the reader's code in place of the book's. */
const takeAway = async () => {
  const up = new URL(bookRoot(), location.href);
  const notebook = await (await fetch(new URL(`_sources/${page}.ipynb`, up))).json();
  for (const { index, text, kind } of cells.values()) {
    if (text === undefined || kind === "try") continue;
    Object.assign(notebook.cells[index], { source: text, outputs: [], execution_count: null });
  }
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(notebook, null, 1)], { type: "application/x-ipynb+json" }),
  );
  make("a", { href: address, download: `${page.split("/").at(-1)}.ipynb` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const bookRoot = () => html.dataset.content_root ?? "./";

// ---------------------------------------------------------------- the editor

let editor = null; // a promise of its modules

const withEditor = () => {
  if (!editor) {
    document.head.append(make("link", { rel: "stylesheet", href: new URL("editor/layout.css", base) }));
    const names = ["index.js", "extensions/commands/index.js", "prism/languages/python.js", "languages/python.js"];
    editor = Promise.all(names.map((name) => import(new URL(`editor/${name}`, base))));
  }
  return editor;
};

const edit = async (cell, text, focus) => {
  const [{ createEditor }, { defaultCommands, editHistory, setIgnoreTab }] = await withEditor();
  if (cell.text !== undefined) return;
  cell.text = text;
  const folded = cell.shown.closest("details");
  if (folded) folded.open = true;
  const host = make("div", { class: "abh-code-editor" });
  cell.shown.before(host);
  cell.shown.hidden = true;
  const label = `Code of cell ${cell.index}. Tab indents; Escape, then Tab, leaves. Control and Enter run it.`;
  const made = createEditor(
    host,
    {
      language: "python",
      value: text,
      insertSpaces: true,
      tabSize: 4,
      lineNumbers: true, // a line that is wrapped on a phone has none, so it doesn't look like another one
      wordWrap: innerWidth < 600,
    },
    defaultCommands(),
    editHistory(),
  );
  const area = made.textarea;
  for (const [name, value] of Object.entries({
    "aria-label": label,
    spellcheck: "false",
    autocapitalize: "off",
    autocorrect: "off",
    autocomplete: "off",
  }))
    area.setAttribute(name, value);
  area.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") setIgnoreTab(true);
      else if (event.key !== "Tab" && event.key !== "Shift") setIgnoreTab(false);
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        runCell(cell);
      }
    },
    true,
  );
  area.addEventListener("blur", () => {
    setIgnoreTab(false);
    host.firstElementChild.scrollLeft = 0;
  });
  let waits = 0;
  made.on("update", (value) => {
    unmark(cell);
    cell.text = value;
    clearTimeout(waits);
    waits = setTimeout(keep, 300);
  });
  addEventListener("pagehide", keep);
  cell.editor = { host, made };
  mark();
  if (!focus) return;
  area.focus();
  const stub = text.indexOf("..."); // what is to be written
  area.setSelectionRange(stub < 0 ? text.length : stub, stub < 0 ? text.length : stub + 3);
};

/** The book's code again, and nothing of what ran. */
const reset = (cell) => {
  cell.editor?.made.remove();
  cell.editor?.host.remove();
  cell.shown.hidden = false;
  cell.output?.box.remove();
  delete cell.editor;
  delete cell.output;
  delete cell.text;
  keep();
  mark();
  button(cell, "edit").focus();
};
