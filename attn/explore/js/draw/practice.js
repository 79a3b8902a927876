// The page Practice: what of the listed exercises is done and due, ten minutes drawn from them, and the reader's
// file. The build writes the list, with links; without script it stays a list. bookext/practice.py calls
// practicePage().
import { button } from "./controls.js";
import { byLot, deckOf, metOf, soon } from "./decks.js";
import { h, write } from "./elements.js";
import { erase, exported, handedIn, imported, lasts, seen } from "./kept.js";
import { readStored, writeStored } from "./stored.js";

/** How many minutes a thing takes, by its kind; a card is one of a deck. */
const MINUTES = { "by hand": 3, ladder: 3, order: 2, report: 1, code: 6, card: 0.5 };
const TEN = 10;

const NONE_OPENED =
  "You have not opened a chapter yet, so there is nothing to draw from. Open one, or draw from all.";

const many = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

const deckText = ({ due, fresh, next }) =>
  [
    due.length ? `${due.length} due` : "",
    fresh.length ? `${fresh.length} new` : "",
    !due.length && next !== null ? `next ${soon(next)}` : "",
  ]
    .filter(Boolean)
    .join(", ");

const tryText = (found, brief = false) => {
  if (!found) return "";
  if (brief) return found.passed ? "✓" : "tried";
  return found.passed ? "✓ solved" : `tried ${found.tries === 1 ? "once" : `${found.tries} times`}, not solved yet`;
};

/**
 * Ten minutes of practice, as the page states the rule: cards that are due, then exercises that were tried and not
 * solved, then untried ones by lot, no two in a row from one chapter where that can be helped; cards not seen yet last.
 * Of a ladder come the puzzles that were tried, and the lowest that was not.
 *
 * @param {object[]} items   { kind, chapter, names }: an exercise has one name, a deck those of its cards
 * @param {() => number} lot   a number from 0 up to 1, as Math.random
 * @returns {object[]}   { item, minutes, count }; `count` is how many cards
 */
export function tenMinutes(items, lot = Math.random, now = Date.now()) {
  const decks = items.filter(({ kind }) => kind === "card");
  const tried = ({ names: [name] }) => seen(name);
  const lowest = new Map(); // of each chapter's ladder, the first puzzle that was not tried
  for (const item of items)
    if (item.kind === "ladder" && !tried(item) && !lowest.has(item.chapter)) lowest.set(item.chapter, item);
  const open = items.filter((item) => {
    if (item.kind === "card" || tried(item)?.passed) return false;
    return item.kind !== "ladder" || tried(item) || lowest.get(item.chapter) === item;
  });
  const taken = [];
  let left = TEN;
  const take = (item, minutes, count = 0) => {
    taken.push({ item, minutes, count });
    left -= minutes;
  };
  const takeCards = (which) => {
    for (const deck of decks) {
      const count = Math.min(deckOf(deck.names, now)[which].length, Math.floor(left / MINUTES.card));
      if (count > 0) take(deck, count * MINUTES.card, count);
    }
  };
  takeCards("due");
  const fresh = open.filter((item) => !tried(item));
  const waiting = [...byLot(open.filter(tried), lot), ...byLot(fresh, lot)];
  const fits = (item) => MINUTES[item.kind] <= left;
  while (waiting.some(fits)) {
    const before = taken.at(-1)?.item.chapter;
    const other = waiting.find((item) => fits(item) && item.chapter !== before);
    const item = other ?? waiting.find(fits);
    waiting.splice(waiting.indexOf(item), 1);
    take(item, MINUTES[item.kind]);
  }
  takeCards("fresh");
  return taken;
}

// The ten minutes that were drawn stay until the window is closed, so that one can go through them, from page to page
// (bookext/static/place.js), and come back.
const LOT = "attention-by-hand:ten";
const keepLot = (found, texts) => {
  const steps = found.map(({ item, ...rest }, k) => [item.names[0], rest, item.link.href, texts[k]]);
  writeStored("sessionStorage", LOT, { at: 0, list: location.href.split("#")[0], steps });
};

/** What was drawn in this window before; of things that are no longer there, nothing. */
function lotOf(items) {
  const kept = readStored("sessionStorage", LOT)?.steps;
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((entry) => {
    const [name, rest] = Array.isArray(entry) ? entry : [];
    const item = items.find(({ names }) => names[0] === name);
    return item && Number.isFinite(rest?.minutes) ? [{ item, minutes: rest.minutes, count: Number(rest.count) }] : [];
  });
}

/** Hand a text to the reader as a file. */
function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Bring the page to life, if it is one of practice. */
export function practicePage() {
  const place = document.querySelector("[data-practice-tools]");
  if (!place || "mounted" in place.dataset) return;
  place.dataset.mounted = "1";
  const items = [...document.querySelectorAll("[data-practice]")].map((node) => ({
    node,
    kind: node.dataset.kind,
    chapter: node.dataset.chapter,
    names: node.dataset.practice.split(" "),
    link: node.querySelector("a"),
    said: node.appendChild(h("span.abh-practised")),
  }));
  const of = (kind) => items.filter((item) => (item.kind === "card") === (kind === "card"));

  const sum = h("p", { role: "status", "data-practice-sum": "" });
  const told = h("p", { role: "status", "data-practice-told": "" });
  const list = h("ol.abh-session", { "data-ten": "" });
  const textOf = ({ item, count }) => {
    const { textContent: text } = item.link;
    const { title } = item.node.dataset;
    return { card: `${many(count, "card")} of ${title}`, ladder: `${title}: ${text}` }[item.kind] ?? text;
  };
  const tell = (found) =>
    list.replaceChildren(
      ...found.map((one, k) => {
        const { item, minutes } = one;
        const time = minutes < 1 ? "half a minute" : `${many(Math.ceil(minutes), "minute")}`;
        const sort = item.kind === "card" ? "" : `${item.node.dataset.called}, `;
        const link = h("a", { href: item.link.getAttribute("href"), "data-step": k }, textOf(one));
        return h("li", link, ` (${sort}${time})`);
      }),
    );
  const draw = (all) => {
    const found = tenMinutes(all ? items : metOf(items));
    tell(found);
    keepLot(found, found.map(textOf));
    const few = metOf(items).length < items.length;
    more.hidden = all || !few;
    const none = metOf(items).length || all ? "Nothing is due, and all of it is solved." : NONE_OPENED;
    write(told, found.length ? "" : none);
  };
  const ten = button("Draw ten minutes", "ten", () => draw(false));
  const more = button("Draw from all chapters", "ten-of-all", () => draw(true));
  more.hidden = true;

  const file = h("input.abh-file", { type: "file", accept: ".json,application/json", id: "abh-import" });
  file.addEventListener("change", async () => {
    const [given] = file.files;
    if (!given) return;
    let counts = null;
    try {
      counts = imported(await given.text());
    } catch {
      // a file that can't be read
    }
    file.value = "";
    write(
      told,
      counts
        ? `Taken over: ${many(counts.exercises, "exercise")} and ${many(counts.cards, "card")}.`
        : "That file holds no practice of this book. Nothing was changed.",
    );
  });
  const ask = h(
    "div.abh-row",
    { "data-practice-ask": "", role: "group", "aria-label": "Erase?" },
    h("span", "Erase all that you practiced, on this device? It can’t be brought back. "),
    button("Erase it", "erase-yes", () => {
      erase();
      close("Erased.");
    }),
    button("Keep it", "erase-no", () => close("Kept.")),
  );
  ask.hidden = true;
  const wipe = button("Erase", "erase", () => {
    ask.hidden = false;
    ask.querySelector("[data-action=erase-no]").focus();
  });
  const close = (text) => {
    ask.hidden = true;
    write(told, text);
    wipe.focus();
  };

  const who = h("input.abh-field", { type: "text", maxlength: 100, autocomplete: "name", id: "abh-name" });
  const hand = button("Write the file", "hand-in", () => {
    const results = handedIn(who.value, place.dataset.version);
    const count = results.exercises.length;
    if (count) save(`${JSON.stringify(results, null, 1)}\n`, "attention-by-hand-results.json");
    const passed = results.exercises.filter((entry) => entry.passed).length;
    write(
      told,
      count
        ? `attention-by-hand-results.json: ${passed} of ${many(count, "exercise")} passed.`
        : "Nothing to hand in yet: try an exercise first. Cards don’t count, since you judge them yourself.",
    );
  });

  const show = () => {
    for (const { kind, names, node, said } of items) {
      const one = seen(names[0]);
      const text = kind === "card" ? deckText(deckOf(names)) : tryText(one, kind === "ladder");
      write(said, text && ` · ${text}`);
      node.dataset.state = kind !== "card" && one ? (one.passed ? "right" : "wrong") : "open";
    }
    const solved = of("exercise").filter(({ node }) => node.dataset.state === "right").length;
    const { due, fresh } = deckOf(of("card").flatMap(({ names }) => names));
    const exercises = of("exercise").length ? `${solved} of ${many(of("exercise").length, "exercise")} solved; ` : "";
    const where = lasts() ? "Kept on this device only" : "This window keeps nothing beyond the page";
    write(sum, `${where}: ${exercises}${many(due.length, "card")} due, ${fresh.length} not seen yet.`);
  };
  document.addEventListener("abh-practised", show);
  addEventListener("storage", show);
  place.replaceChildren(
    sum,
    h("div.abh-row", ten, more),
    list,
    h(
      "div.abh-row",
      button("Export", "export", () => save(exported(), "attention-by-hand-practice.json")),
      h("label.abh-button", { for: "abh-import" }, "Import"),
      file,
      wipe,
    ),
    ask,
    h("div.abh-row", h("label", { for: "abh-name" }, "Hand in as"), who, hand),
    told,
  );
  tell(lotOf(items));
  show();
}
