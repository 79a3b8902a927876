// A ladder: puzzles of rising difficulty on a figure, one open at a time. What is asked and counted, hints, answers and
// solutions come from the class (attn/explore/practice/_ladder.py); whether a state reaches a rung is each ladder's.
import { sumOf } from "../core.js";
import { needed } from "../number.js";
import { button } from "./controls.js";
import { h, linkTo, put, rich, write } from "./elements.js";
import { onChanges } from "./figure.js";
import { goalStatus, showStatus } from "./goals.js";
import { record, seen } from "./kept.js";
import { anchorScroll } from "./scroll_anchor.js";

// ---------------------------------------------------------------- scores
const COUNTED = {
  size: (now) => Math.abs(now),
  way: (now, before) => Math.abs(now - before),
  changed: (now, before) => Number(now !== before),
};
const entriesOf = (state, path) => [path.split(".").reduce((value, key) => value[key], state)].flat(Infinity);

/** What is counted of the entries of some traits: ["size", "q", "k"]. */
export const scoreOf = ([how, ...of], state, first) =>
  sumOf(
    of.flatMap((path) => {
      const before = entriesOf(first, path);
      return entriesOf(state, path).map((now, i) => COUNTED[how](now, before[i]));
    }),
  );

/** Whether some traits are as they were at first. */
export const asAtFirst = (state, first, ...names) =>
  names.every((name) => JSON.stringify(state[name]) === JSON.stringify(first[name]));

// ---------------------------------------------------------------- the frame
const ROUNDING = 1e-9;

/** The word for a score beside the par: less is better. */
const wordFor = (score, par) => {
  if (score < par - ROUNDING) return "Below par: ours takes more.";
  return score <= par + ROUNDING ? "At par." : "Above par: it can be done with less.";
};

/** What is said of the par and of the reader's best: before the end nothing that tells whether there is a solution. */
const parText = ({ rung, best }, over) => {
  if (!over) return "Par is told at the end.";
  if (!rung.solution) return "";
  const own = best < Infinity ? ` Your best: ${needed(best, 0, 2)}. ${wordFor(best, rung.par)}` : "";
  return `Par is ${needed(rung.par, 0, 2)}.${own}`;
};

const BLOCK = ".abh-painter, .abh-matrix-editor, .abh-slider, .abh-choice, .abh-radios, .abh-toggle";

/**
 * What a puzzle is solved with stands right under it, wherever the figure has it: lift(traits) brings their controls to
 * the top of the stage, tables of numbers last, and puts back those of the puzzle before.
 */
function lifting(el) {
  const root = el.querySelector("[data-explorable]");
  const place = h("div.abh-lift");
  root.querySelector(".abh-stage").prepend(place);
  let lifted = []; // what was lifted, and the mark where it stood
  const find = (key) => [...root.querySelectorAll(`[name="${key}"], [name^="${key}."]`)];
  const isTable = (block) => block.matches(".abh-matrix-editor, .abh-painter");
  /** A choice comes with the sliders that it brings up; a number that has a slider of its own, without its table. */
  const blocksOf = (key) => {
    const blocks = [...new Set(find(key).map((node) => node.closest(BLOCK)))].filter(Boolean);
    const own = blocks.filter((block) => !isTable(block));
    const held = root.querySelector(`[data-grip="${key}"], [data-grip^="${key}."]`); // in the picture itself
    return (own.length || held ? own : blocks).map((block) => {
      const row = block.parentElement;
      const beside = [...row.querySelectorAll(BLOCK)].filter((other) => other !== block);
      const brings = block.matches(".abh-choice") && row.matches(".abh-row") && beside.length > 0;
      return brings && beside.every((other) => other.matches(".abh-slider")) ? row : block;
    });
  };
  return (keys) => {
    for (const [node, mark] of lifted.toReversed()) mark.replaceWith(node);
    if (!keys.every((key) => find(key).length)) root.dispatchEvent(new Event("abh-complete"));
    const blocks = [...new Set(keys.flatMap(blocksOf))];
    const kept = blocks.filter((block) => !blocks.some((other) => other !== block && other.contains(block)));
    lifted = [...kept.filter((block) => !isTable(block)), ...kept.filter(isTable)].map((block) => {
      const mark = document.createComment("");
      block.replaceWith(mark);
      place.append(block);
      return [block, mark];
    });
    for (const key of keys.toReversed()) place.querySelector(`[data-action="edit-${key}"]`)?.click();
  };
}

/** A puzzle on the board, and what is known of it; `act` has what its buttons do. */
function puzzleOf(rung, index, act) {
  const item = {
    rung,
    index,
    state: "open",
    here: false, // it was solved since the page was opened
    told: false, // its answer stands there
    shown: false, // because it was asked for
    asked: 0, // hints
    best: Infinity,
    status: goalStatus(),
    done: h("span.abh-done", { role: "status" }),
    now: h("b", { "data-score": rung.name }),
    kept: h("span"),
    hint: h("p", { "data-hint": "", role: "status", "aria-live": "polite", "aria-atomic": "false" }),
    prize: h("p.abh-reward"),
    more: button("Hint 1 of 3", "hint", () => act.hint(item)),
    claim: button("I say it's impossible", "claim", () => act.judge(item)),
    show: button("Show the answer", "answer", () => act.reveal(item)),
    take: button("Put it into the figure", "put", () => act.fill(item)),
    tab: button(String(index + 1), `rung-${index + 1}`, () => act.choose(index)),
  };
  const [asks, data] = [h("span", ...rich(rung.asks)), { "data-goal": index + 1, "data-state": "open" }];
  item.goal = h("div.abh-rung", data, item.status, asks, item.done);
  item.li = h(
    "li",
    { "data-exercise": rung.name, "data-state": "open" },
    item.goal,
    h("p.abh-label", item.now, ", ", ...rich(rung.counts), ". ", item.kept),
    h("div.abh-row", item.more, item.claim, item.show, item.take),
    item.hint,
    item.prize,
  );
  return item;
}

/** Show what is known of a puzzle; returns it in a word. */
function showPuzzle({ rung, index, li, goal, status, done, claim, show, take, tab, ...item }, isOpen) {
  const right = item.state === "right";
  const over = right || item.shown;
  const word = right ? "solved" : item.shown ? "answer shown" : "open";
  li.hidden = !isOpen;
  put(li, "data-state", item.state);
  put(goal, "data-state", right ? "right" : "open");
  put(tab, "aria-pressed", isOpen);
  put(tab, "aria-label", `Puzzle ${index + 1}, ${word}`);
  write(tab, `${index + 1}${right ? " ✓" : ""}`);
  showStatus(status, right);
  write(done, over ? word : "");
  claim.disabled = over;
  show.disabled = item.told;
  take.hidden = !item.told || !rung.solution;
  if (isOpen) {
    write(item.kept, parText({ rung, ...item }, over));
    item.prize.hidden = !item.prize.hasChildNodes();
  }
  return word;
}

/** Tell the answer, as the prize or because it was asked for. */
const tellAnswer = (item, word) => {
  const { answer, proof } = item.rung;
  item.told = true;
  const told = proof ? [" The proof: ", linkTo(...proof), "."] : [];
  item.prize.replaceChildren(h("b", `${word} `), ...rich(answer), ...told);
};

/**
 * A view with a ladder above it.
 *
 * view    what the figure's own module exports: its `compute` gives the numbers that are judged
 * rungs   for each rung whether a state reaches it, (numbers, state, first) -> Boolean, in the order of the class's
 */
export function ladder(view, rungs) {
  const render = ({ model, el }) => {
    const keys = Object.keys(model.get("controls")).filter((key) => !key.includes("."));
    const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
    const first = structuredClone(read());
    const judged = keys.filter((key) => key !== "opened"); // which only shows more or less of a figure
    let given = false; // the figure stands in a state that came from our solution
    let lift = () => {};
    const setAll = (state) => {
      for (const key of judged) model.set(key, structuredClone(state[key]));
      model.save_changes();
    };
    const act = {
      /** Open a puzzle; it starts from the figure's first state. */
      choose(index) {
        if (index !== open) setAll(first);
        given = false;
        open = index;
        lift(items[open].rung.uses);
        redraw();
      },
      /** One hint more, below those that were given. */
      hint(item) {
        const { hints } = item.rung;
        if (item.asked >= hints.length) return;
        item.hint.append(h("span.abh-given-hint", `Hint ${item.asked + 1}: `, ...rich(hints[item.asked])));
        item.asked += 1;
        write(item.more, `Hint ${Math.min(item.asked + 1, hints.length)} of ${hints.length}`);
        put(item.more, "aria-disabled", item.asked === hints.length);
        redraw();
      },
      judge(item) {
        const right = !item.rung.solution;
        item.state = right ? "right" : "wrong";
        item.here = right;
        record(item.rung.name, right);
        if (right) {
          item.hint.replaceChildren();
          tellAnswer(item, "Right, it is impossible.");
        } else {
          const can = "It can be done: a state of this figure reaches it.";
          if (item.hint.lastChild?.textContent !== can) item.hint.append(h("span", can));
        }
        redraw();
      },
      reveal(item) {
        if (item.state !== "right") {
          item.shown = true;
          record(item.rung.name, false);
        }
        tellAnswer(item, item.rung.solution ? "One way:" : "It is impossible.");
        redraw();
      },
      fill(item) {
        given = true;
        setAll({ ...first, ...item.rung.solution });
        redraw();
      },
    };
    const withPar = (rung) => ({ ...rung, par: scoreOf(rung.score, { ...first, ...rung.solution }, first) });
    const items = model.get("rungs").map((rung, index) => puzzleOf(withPar(rung), index, act));
    for (const item of items) if (seen(item.rung.name)?.passed) item.state = "right";
    const asked = new URLSearchParams(location.search).get("puzzle"); // the page Practice links to one
    const places = [({ rung }) => rung.name === asked, ({ state }) => state !== "right"];
    let open = places.map((test) => items.findIndex(test)).find((place) => place >= 0) ?? 0;

    const [status, text] = [goalStatus(), h("span")];
    // The goal again, below the figure.
    const strip = h("p.abh.abh-sticky-goal", { "aria-hidden": "true" }, status, text);
    const board = h(
      "section.abh.abh-ladder",
      { "aria-label": "A ladder of puzzles on this figure" },
      h("div.abh-steps", { role: "group", "aria-label": "Puzzles" }, ...items.map(({ tab }) => tab)),
      h("ol", ...items.map(({ li }) => li)),
    );
    /** Judge the open puzzle in the present state, then show. */
    const look = () => {
      const [item, state] = [items[open], read()];
      if (asAtFirst(state, first, ...judged)) given = false;
      const score = scoreOf(item.rung.score, state, first);
      const reached = rungs[open](view.compute(state), state, first);
      if (reached && !given && !item.shown) {
        item.best = Math.min(item.best, score);
        if (item.state !== "right" || !item.here) {
          item.state = "right";
          item.here = true;
          item.hint.replaceChildren();
          record(item.rung.name, true);
        }
      }
      const right = item.state === "right";
      const standing = `Now ${needed(score, 0, 2)}${right && !reached ? " (goal not met)" : ""}`;
      write(item.now, standing);
      const words = items.map((one, index) => showPuzzle(one, index === open));
      showStatus(status, right);
      write(text, `Puzzle ${open + 1}: ${words[open]}. ${standing}`);
    };
    const anchor = anchorScroll(el);
    const redraw = () => anchor.around(look);
    el.append(board);
    const leave = view.render({ model, el });
    el.append(strip);
    lift = lifting(el);
    lift(items[open].rung.uses);
    const unlisten = onChanges(model, keys, redraw);
    look();
    return () => {
      unlisten();
      anchor.leave();
      board.remove();
      strip.remove();
      leave();
    };
  };
  return { ...view, render, rungs };
}
