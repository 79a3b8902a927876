// Recall cards: say the answer, look, judge yourself. When a card comes again, kept.js says. Twin: explore/cards.py.
import { button } from "./draw/controls.js";
import { byLot, deckOf, metOf, soon } from "./draw/decks.js";
import { h, linkTo, put, rich, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { lasts, rate } from "./draw/kept.js";
import { reserved } from "./draw/question.js";

const MOST = 20; // cards in a round of the whole book
const REST = 400; // ms for which what a tap brings up takes no tap: it may stand where the finger is
const LONG = 3; // of so many texts, the longest ones, the room is kept

/** No numbers. */
const compute = () => ({});

const cardsText = (count) => `${count} ${count === 1 ? "card" : "cards"}`;

/** What stands in the card's place at the end, at its longest. */
const LONGEST_END = "That was the round: you knew 10 of 20 cards at once. The next one is due in 60 days.";

/** Unseen copies of the longest texts, so that nothing below them moves. */
const copies = (texts) =>
  [...texts]
    .sort((one, other) => other.length - one.length)
    .slice(0, LONG)
    .map((text) => reserved(rich(text)));

function render({ model, el }) {
  const cards = model.get("cards").map((card) => ({ ...card, names: [card.name] }));
  const names = cards.map(({ name }) => name);
  const whole = model.get("chapter") === "";
  const fig = figure({
    el,
    model,
    compute,
    question: "Say the answer to yourself, then look.",
    answer: "",
    invite: "",
  });
  let queue = []; // cards of this round that are still to come
  let judged = new Map(); // name -> whether it was known at once
  let open = false; // whether the answer shows

  const count = h("span", { "data-count": "due" });
  const from = h("span", { "data-from": "" }); // where the card is explained
  const head = h("p.abh-label", count, " ", from);
  const asks = h("p.abh-asks");
  const tells = h("p.abh-tells", { role: "status" });
  const face = h(
    "div.abh-recall",
    { "data-card": "" },
    h("div.abh-answer-room", asks, ...copies([...cards.map((card) => card.asks), LONGEST_END])),
    h("div.abh-answer-room", tells, ...copies(cards.map((card) => card.answer))),
  );
  const hint = h("p.abh-label", { "data-hint": "", "aria-live": "polite" });
  const statuses = new Map(
    cards.map(({ name }) => [name, h("li", { "data-exercise": name, "data-state": "open" }, "·")]),
  );
  const strip = h("ol.abh-strip", { "aria-hidden": "true" }, ...statuses.values());

  let resting = 0; // the timer that ends the rest
  const wake = () => {
    clearTimeout(resting);
    for (const node of buttons) node.removeAttribute("aria-disabled");
  };
  /** A button whose successors wait a moment if it was pressed by a pointer: a double tap is one tap. */
  const pressed = (label, action, call) =>
    button(label, action, (event) => {
      if (event.currentTarget.getAttribute("aria-disabled")) return;
      wake();
      if (event.detail > 0) {
        for (const node of buttons) put(node, "aria-disabled", true);
        resting = setTimeout(wake, REST);
      }
      call();
    });
  const show = pressed("Show the answer", "show", () => {
    open = true;
    draw();
    knew.focus({ preventScroll: true });
  });
  const knew = pressed("I knew it", "knew", () => judge(true));
  const notYet = pressed("Not yet", "not-yet", () => judge(false));
  const through = (round) => {
    begin(round);
    show.focus({ preventScroll: true });
  };
  const some = (list) => byLot(list).slice(0, MOST);
  const again = whole
    ? pressed(`Ask me any ${MOST}`, "again", () => through(some(metOf(cards))))
    : pressed(`Go through all ${cards.length}`, "again", () => through(cards));
  const any = pressed("From all chapters", "any", () => through(some(cards)));
  const buttons = [show, knew, notYet, again, any];

  const tellLeft = () => write(count, `${cardsText(cards.length)}: ${queue.length || "none"} left in this round.`);

  const judge = (known) => {
    const card = queue.shift();
    const first = !judged.has(card.name);
    const days = first ? rate(card.name, known) : 1; // what is known at the second look is no longer known at once
    if (first) judged.set(card.name, known);
    if (!known) queue.push(card);
    const comes = known ? [] : ["at the end of this round"];
    if (lasts()) comes.push(soon(days));
    else if (known) comes.push("when you open this page anew: nothing can be kept here");
    write(hint, `It comes again ${comes.join(", and ")}.`);
    tellLeft();
    open = false;
    draw();
    (queue.length ? show : again.hidden ? any : again).focus({ preventScroll: true });
  };

  const draw = () => {
    const [card] = queue;
    face.dataset.card = card?.name ?? "";
    asks.replaceChildren(...rich(card ? card.asks : ending()));
    tells.replaceChildren(...(card && open ? rich(card.answer) : []));
    show.hidden = !card || open;
    for (const node of [knew, notYet]) node.hidden = !card || !open;
    const reach = whole ? metOf(cards).length : cards.length;
    again.hidden = Boolean(card) || !reach;
    any.hidden = Boolean(card) || reach === cards.length;
    from.replaceChildren(...(card ? [linkTo(card.page, `Chapter ${card.chapter}`)] : []));
    strip.hidden = !card && !judged.size;
    for (const [name, status] of statuses) {
      const known = judged.get(name);
      status.dataset.state = known === undefined ? "open" : known ? "right" : "wrong";
      write(status, known === undefined ? "·" : known ? "✓" : "↻");
      status.hidden = known === undefined && !queue.some((one) => one.name === name);
    }
  };

  /** What stands in the card's place when there is none. */
  const ending = () => {
    const { next } = deckOf(names);
    const then = next === null || !lasts() ? "" : ` The next one is due ${soon(next)}.`;
    if (judged.size) {
      const known = [...judged.values()].filter(Boolean).length;
      return `That was the round: you knew ${known} of ${cardsText(judged.size)} at once.${then}`;
    }
    if (next === null && whole && !metOf(cards).length)
      return "You have not opened a chapter yet, so no card is yours. Open one, or ask from all chapters.";
    if (next === null)
      return "No card of yours is waiting: they come here once you have met them at a chapter's end.";
    return `None of your cards is due now.${then}`;
  };

  /** A round takes cards that are due, then those not seen yet; of the whole book those that are due. */
  const begin = (round) => {
    const deck = deckOf(names);
    const fresh = whole ? [] : deck.fresh;
    const waiting = [...deck.due, ...fresh].map((name) => cards[names.indexOf(name)]);
    [queue, judged, open] = [[...(round ?? waiting.slice(0, MOST))], new Map(), false];
    const news = fresh.length ? `, ${fresh.length} new` : "";
    if (round) tellLeft();
    else write(count, `${cardsText(cards.length)}: ${deck.due.length} due${news}.`);
    count.dataset.due = deck.due.length;
    write(hint, "");
    draw();
  };
  fig.onReset.push(() => {
    wake();
    begin(whole ? undefined : cards);
  });

  fig.stage.append(h("div.abh-deck", head, face, h("div.abh-row", ...buttons), hint, strip));
  // On paper: the questions with room for an answer, and the answers below.
  const listed = (key) => h("ol", ...cards.map((card) => h("li", ...rich(card[key]))));
  if (!whole) fig.stage.append(h("div.abh-on-paper", listed("asks"), h("p", "Answers"), listed("answer")));
  begin();
  return fig.mount();
}

export default { render, compute };
