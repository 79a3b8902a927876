// A prediction: the question that a figure asks before its first drag.
import { needed } from "../number.js";
import { h, plainly, put, rich } from "./elements.js";
import { record, seen } from "./kept.js";

/**
 * An unseen copy keeps the room of what will stand there: nothing moves when it appears. Each word stands in it
 * backward, which is as wide, so that neither "find in page" nor a look into the page gives an answer away.
 */
export const room = (children) => {
  const el = h("p", { class: "abh-room", "aria-hidden": "true" }, ...children);
  const turn = (node) => {
    if (node.nodeType === 3) node.data = node.data.replace(/\S+/g, (word) => [...word].reverse().join(""));
    else node.childNodes.forEach(turn);
  };
  turn(el);
  for (const link of el.querySelectorAll("a")) link.removeAttribute("href");
  return el;
};

// On a page of the book what was predicted lasts as long as the window: a reload does not ask anew, a week later does.
const PREDICTED = "attention-by-hand:predicted";
const predicted = () => {
  try {
    const found = JSON.parse(sessionStorage.getItem(PREDICTED));
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : {};
  } catch {
    return {}; // nothing was kept, or nonsense
  }
};

const ORDER = "Decide first. Then move the control, and read the verdict.";

/**
 * The question that a figure asks before its first drag: answers of which a tap commits to one, or a number to type,
 * and a way past it. The figure is never shut: a drag passes the question as "Skip" does. Then the explanation takes
 * the place of the answers. A question that is about certain traits waits until one of those is moved; after a move of
 * any other there is nothing to skip, and no more. The answer is the trait `answer`; no link has it.
 */
export function prediction(fig) {
  const { root, model } = fig;
  const { question, options, solution, tolerance, unit, explanation, about = [], exercise } = model.get("predict");
  const [said, next] = exercise
    ? ["ruled", "Now move the control: it shows who is right, and the verdict stands here."]
    : ["said", "Now drag, and see."];
  const told = (answer) =>
    options.length ? rich(options[answer]) : [`${needed(answer, 0, 4)}${unit && `\u00a0${unit}`}`];
  const right = (answer) => (options.length ? answer === solution : Math.abs(answer - solution) <= tolerance);
  const verdict = (answer) => {
    if (answer === null) return ["The answer: ", ...told(solution), ". "];
    return right(answer)
      ? ["✓ Yes: ", ...told(solution), ". "]
      : [`You ${said}: `, ...told(answer), ". It is: ", ...told(solution), ". "];
  };
  const why = () => explanation.split("\n\n").flatMap((text, index) => [...(index ? [h("br")] : []), ...rich(text)]);
  const sentence = (answer) => [h("b", { class: "abh-verdict" }, ...verdict(answer)), ...why()];
  const noted = (answer) =>
    answer === null ? ["Now drag, and see."] : [`You ${said}: `, ...told(answer), `. ${next}`];
  const wrong = options.length
    ? [...options.keys()].filter((index) => index !== solution)
    : [solution + 2 * tolerance + 1000];

  const onPage = document.documentElement.dataset.content_root !== undefined;
  const place = onPage && !exercise ? `${location.pathname} ${question}` : "";
  /** Keep the answer for a reload; null forgets it. */
  const remember = (answer) => {
    if (!place) return;
    const { [place]: _, ...others } = predicted();
    try {
      sessionStorage.setItem(PREDICTED, JSON.stringify(answer === null ? others : { ...others, [place]: answer }));
    } catch {
      // a browser that keeps nothing
    }
  };
  /** What was predicted before a reload, if it can be an answer. */
  const recall = () => {
    const kept = place ? predicted()[place] : null;
    const sound = options.length ? Number.isInteger(kept) && kept in options : Number.isFinite(kept);
    return sound ? kept : null;
  };
  const commit = (answer) => {
    model.set("answer", answer);
    model.save_changes();
    remember(answer);
    show();
  };
  const choices = options.map((text, index) =>
    h(
      "button",
      { type: "button", class: "abh-button abh-option", "data-option": index, onclick: () => commit(index) },
      ...rich(text),
    ),
  );
  const field = h("input", {
    type: "number",
    step: "any",
    inputmode: "decimal",
    class: "abh-field",
    "aria-label": "Your answer",
    "data-lm-suppress-shortcuts": "true",
  });
  const send = h("button", { type: "submit", class: "abh-button abh-primary", "data-action": "commit" }, "Commit");
  const skip = h(
    "button",
    { type: "button", class: "abh-button abh-quiet-button", "data-action": "skip" },
    fig.name === "Predict" ? "Show the answer" : "Skip",
  );
  const note = h("p", { class: "abh-noted", role: "status" });
  const foot =
    fig.name === "Predict"
      ? null
      : h("div", { class: "abh-foot" }, skip, note, ...[solution, ...wrong].map((answer) => room(noted(answer))));
  const el = h(
    "form",
    { class: "abh-ask", "aria-label": `Your ${exercise ? "ruling" : "prediction"}: ${plainly(question)}` },
    exercise ? h("p", { class: "abh-label abh-order" }, ORDER) : null,
    ...(options.length
      ? choices
      : [h("label", { class: "abh-asked" }, field, unit ? h("span", {}, unit) : null), send]),
    foot,
  );
  let passed = false; // skipped, and still to be dragged
  let kept = false; // that an exercise was tried
  /** An exercise is judged once the reader has answered, and has seen. */
  const judge = (answer, done) => {
    const judged = done && answer !== null;
    root.dataset.exercise = exercise;
    root.dataset.state = judged ? (right(answer) ? "right" : "wrong") : "open";
    if (judged && !kept) record(exercise, right(answer));
    kept = judged;
  };
  const alone = () => fig.name === "Predict";

  const show = () => {
    const [answer, done] = [model.get("answer"), root.classList.contains("abh-touched")];
    if (answer !== null && alone() && !done) {
      fig.touch(about);
      fig.redraw();
      return;
    }
    const open = answer === null && !passed && !done;
    root.dataset.right = answer === null || !done ? "" : String(Number(right(answer)));
    if (exercise) judge(answer, done);
    choices.forEach((node, index) => {
      node.disabled = answer !== null;
      put(node, "aria-pressed", answer === index);
    });
    field.disabled = answer !== null;
    if (answer === null ? field.value !== "" && !open : field.valueAsNumber !== answer) field.value = answer ?? "";
    send.disabled = answer !== null || !Number.isFinite(field.valueAsNumber);
    skip.hidden = !open;
    const before = exercise && open && seen(exercise)?.passed ? ["Ruled right before."] : [];
    note.replaceChildren(...(open || done ? before : noted(answer)));
  };
  skip.addEventListener("click", () => {
    passed = true;
    if (!alone()) return show();
    fig.touch(about);
    return fig.redraw();
  });
  field.addEventListener("input", show);
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (Number.isFinite(field.valueAsNumber)) commit(field.valueAsNumber);
  });
  return {
    el,
    question,
    exercise,
    skip,
    room: [null, ...wrong].map((answer) => room(sentence(answer))),
    told: () => sentence(model.get("answer")),
    /** Whether a move of these traits is what was asked about. */
    about: (traits) => !about.length || about.some((trait) => traits.includes(trait)),
    /** Something was moved: it need not be what was asked about. */
    pass() {
      passed = true;
      show();
    },
    start() {
      const before = recall();
      if (before !== null && model.get("answer") === null) model.set("answer", before);
      model.on("change:answer", show);
      show();
    },
    leave: () => model.off("change:answer", show),
    forget() {
      passed = false;
      field.value = "";
      commit(null);
    },
  };
}
