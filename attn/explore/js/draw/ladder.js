// A ladder: puzzles of rising difficulty on a figure, one open at a time. What is asked, hints, answers and par scores
// come from the class (attn/explore/practice/_ladder.py); whether a state reaches a rung, and its score, is each ladder's.
import { needed } from "../number.js";
import { button } from "./controls.js";
import { h, put, rich, write } from "./elements.js";
import { record, seen } from "./kept.js";
import { steady } from "./steady.js";

// ---------------------------------------------------------------- scores; each has its twin in _ladder.py
const entriesOf = (state, names) => names.flatMap((name) => [state[name]].flat(Infinity).map(Number));

/** Sum of the sizes of all entries of some traits. */
export const sizeOf = (state, ...names) => entriesOf(state, names).reduce((sum, entry) => sum + Math.abs(entry), 0);

/** How far the entries of some traits are from where they were at first, all together. */
export const wayFrom = (state, first, ...names) => {
  const before = entriesOf(first, names);
  return entriesOf(state, names).reduce((sum, entry, i) => sum + Math.abs(entry - before[i]), 0);
};

/** How many entries of some traits are not what they were at first. */
export const countChanged = (state, first, ...names) => {
  const before = names.flatMap((name) => [first[name]].flat(Infinity));
  return names.flatMap((name) => [state[name]].flat(Infinity)).filter((entry, i) => entry !== before[i]).length;
};

/** Whether some traits are as they were at first. */
export const asAtFirst = (state, first, ...names) =>
  names.every((name) => JSON.stringify(state[name]) === JSON.stringify(first[name]));

// ---------------------------------------------------------------- the frame
const ROUNDING = 1e-9;
const UNJUDGED = ["opened", "focus"]; // what only shows more or less of a figure

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

const BLOCK = ".abh-painter, .abh-dock, .abh-slider, .abh-choice, .abh-radios, .abh-toggle";

/**
 * What a puzzle is solved with stands right under it, wherever the figure has it: lift(traits) brings their controls to
 * the top of the stage, tables of numbers last, and puts back those of the puzzle before.
 */
function lifting(el) {
  const root = el.querySelector("[data-explorable]");
  const place = h("div", { class: "abh-lift" });
  root.querySelector(".abh-stage").prepend(place);
  let lifted = []; // what was lifted, and the mark where it stood
  const find = (key) => [...root.querySelectorAll(`[name="${key}"], [name^="${key}."]`)];
  const isTable = (block) => block.matches(".abh-dock, .abh-painter");
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

/**
 * A view with a ladder above it.
 *
 * view    what the figure's own module exports: its `compute` gives the numbers that are judged
 * rungs   for each rung { reached(numbers, state, first), score(state, first) }, in the order of the class's
 */
export function ladder(view, rungs) {
  const render = ({ model, el }) => {
    const told = model.get("rungs");
    const keys = Object.keys(model.get("controls")).filter((key) => !key.includes("."));
    const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
    const first = structuredClone(read());
    const judged = keys.filter((key) => !UNJUDGED.includes(key));
    let given = false; // the figure stands in a state that came from our solution
    let open = -1;

    const lampOf = () => h("span", { class: "abh-lamp", "data-lamp": "0" });
    const light = (lamp, on) => {
      put(lamp, "data-lamp", Number(on));
      write(lamp, on ? "✓" : "");
    };
    const items = told.map((rung, index) => {
      const [lamp, done, now, kept] = [
        lampOf(),
        h("span", { class: "abh-done", role: "status" }),
        h("b", { "data-score": rung.name }),
        h("span", {}),
      ];
      const hint = h("p", { "data-hint": "", role: "status", "aria-live": "polite", "aria-atomic": "false" });
      const prize = h("p", { class: "abh-prize" });
      const more = button("Hint 1 of 3", "hint", () => nextHint(item));
      const claim = button("I say it's impossible", "claim", () => judge(item));
      const show = button("Show the answer", "answer", () => reveal(item));
      const take = button("Put it into the figure", "put", () => fill(item));
      const li = h(
        "li",
        { "data-exercise": rung.name, "data-state": "open" },
        h(
          "div",
          { class: "abh-rung", "data-goal": index + 1, "data-state": "open" },
          lamp,
          h("span", {}, ...rich(rung.asks)),
          done,
        ),
        h("p", { class: "abh-label" }, now, ", ", ...rich(rung.counts), ". ", kept),
        h("div", { class: "abh-row" }, more, claim, show, take),
        hint,
        prize,
      );
      const tab = button(String(index + 1), `rung-${index + 1}`, () => choose(index));
      const item = { rung, index, li, goal: li.firstChild, lamp, done, now, kept, hint, prize, more, claim, show };
      return Object.assign(item, { take, tab, state: "open", shown: false, asked: 0, best: Infinity });
    });
    const perch = { lamp: lampOf(), text: h("span", {}) };
    const strip = h("p", { class: "abh abh-perch", "aria-hidden": "true" }, perch.lamp, perch.text);
    const board = h(
      "section",
      { class: "abh abh-ladder", "aria-label": "A ladder of puzzles on this figure" },
      h("div", { class: "abh-steps", role: "group", "aria-label": "Puzzles" }, ...items.map(({ tab }) => tab)),
      h("ol", {}, ...items.map(({ li }) => li)),
    );

    const scoreNow = ({ index }) => rungs[index].score(read(), first);
    const reachedNow = ({ index }) => {
      const state = read();
      return Boolean(rungs[index].reached(view.compute(state), state, first));
    };
    /** The score, and of a puzzle that was solved whether the figure still meets its goal. */
    const standing = (item) => {
      const away = item.state === "right" && !reachedNow(item);
      return `Now ${needed(scoreNow(item), 0, 2)}${away ? " (goal not met)" : ""}`;
    };
    const proofOf = ({ rung: { proof } }) => {
      const base = document.documentElement.dataset.content_root; // a page of the book has it
      if (!proof) return [];
      const [address, title] = proof;
      const where = base === undefined ? title : h("a", { href: `${base}${address}` }, title);
      return [" The proof: ", where, "."];
    };
    const draw = () => {
      for (const item of items) {
        const { rung, index, li, goal, lamp, done, kept, prize, claim, show, take, tab } = item;
        const right = item.state === "right";
        const over = right || item.shown;
        li.hidden = index !== open;
        put(li, "data-state", item.state);
        put(goal, "data-state", right ? "right" : "open");
        put(tab, "aria-pressed", index === open);
        const word = right ? "solved" : item.shown ? "answer shown" : "open";
        put(tab, "aria-label", `Puzzle ${index + 1}, ${word}`);
        write(tab, `${index + 1}${right ? " ✓" : ""}`);
        light(lamp, right);
        write(done, over ? word : "");
        claim.disabled = over;
        show.disabled = item.told;
        take.hidden = !item.told || !rung.solution;
        if (index !== open) continue;
        write(item.now, standing(item));
        write(kept, parText(item, over));
        prize.hidden = !prize.hasChildNodes();
        light(perch.lamp, right);
        write(perch.text, `Puzzle ${index + 1}: ${word}. ${standing(item)}`);
      }
    };
    /** Judge the open rung in the present state, then show. */
    const look = () => {
      if (asAtFirst(read(), first, ...judged)) given = false;
      const item = items[open];
      if (!given && !item.shown && reachedNow(item)) {
        const score = scoreNow(item);
        item.best = Math.min(item.best, score);
        if (item.state !== "right" || !item.here) {
          item.state = "right";
          item.here = true;
          item.hint.replaceChildren();
          record(item.rung.name, true);
        }
      }
      draw();
    };
    const hand = steady(el);
    const redraw = () => hand.around(look);
    let lift = () => {};
    /** Open a puzzle; it starts from the figure's first state. */
    const choose = (index) => {
      if (index !== open) for (const key of judged) model.set(key, structuredClone(first[key]));
      model.save_changes();
      given = false;
      open = index;
      lift(items[open].rung.uses);
      redraw();
    };
    /** One hint more, below those that were given. */
    const nextHint = (item) => {
      const { hints } = item.rung;
      const place = item.asked;
      if (place >= hints.length) return;
      item.asked += 1;
      item.hint.append(h("span", { class: "abh-given-hint" }, `Hint ${place + 1}: `, ...rich(hints[place])));
      write(item.more, `Hint ${Math.min(item.asked + 1, hints.length)} of ${hints.length}`);
      put(item.more, "aria-disabled", item.asked === hints.length);
      redraw();
    };
    /** Tell the answer, as the prize or because it was asked for. */
    const tellAnswer = (item, word) => {
      item.told = true;
      item.prize.replaceChildren(h("b", {}, `${word} `), ...rich(item.rung.answer), ...proofOf(item));
    };
    const judge = (item) => {
      const right = !item.rung.solution;
      item.state = right ? "right" : "wrong";
      item.here = right;
      record(item.rung.name, right);
      if (right) {
        item.hint.replaceChildren();
        tellAnswer(item, "Right, it is impossible.");
      } else {
        const can = "It can be done: a state of this figure reaches it.";
        if (item.hint.lastChild?.textContent !== can) item.hint.append(h("span", {}, can));
      }
      redraw();
    };
    const reveal = (item) => {
      if (item.state !== "right") {
        item.shown = true;
        record(item.rung.name, false);
      }
      tellAnswer(item, item.rung.solution ? "One way:" : "It is impossible.");
      redraw();
    };
    const fill = (item) => {
      given = true;
      const state = { ...first, ...item.rung.solution };
      for (const key of judged) model.set(key, structuredClone(state[key]));
      model.save_changes();
      redraw();
    };

    let [queued, alive] = [false, true];
    const changed = () => {
      if (queued) return;
      queued = true;
      queueMicrotask(() => {
        queued = false;
        if (alive) redraw();
      });
    };
    for (const item of items) if (seen(item.rung.name)?.passed) item.state = "right";
    const asked = new URLSearchParams(location.search).get("puzzle"); // the page Practice links to one
    const named = items.findIndex(({ rung }) => rung.name === asked);
    open =
      named < 0
        ? Math.max(
            0,
            items.findIndex(({ state }) => state !== "right"),
          )
        : named;
    el.append(board);
    const leave = view.render({ model, el });
    el.append(strip);
    lift = lifting(el);
    lift(items[open].rung.uses);
    for (const key of keys) model.on(`change:${key}`, changed);
    look();
    return () => {
      alive = false;
      for (const key of keys) model.off(`change:${key}`, changed);
      hand.leave();
      board.remove();
      strip.remove();
      leave();
    };
  };
  return { ...view, render, rungs };
}
