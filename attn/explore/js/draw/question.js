// A prediction: the question that a figure asks before its first drag.
import { needed } from "../number.js";
import { button, nativeInput } from "./controls.js";
import { h, plainly, put, rich } from "./elements.js";
import { record, seen } from "./kept.js";
import { isObject, readStored, writeStored } from "./stored.js";

/**
 * An unseen copy reserves the height of what will stand there: nothing moves when it appears. Each word stands in it
 * backward, which is as wide, so that neither "find in page" nor a look into the page gives an answer away.
 */
export const reserved = (children) => {
  const el = h("p.abh-reserved", { "aria-hidden": "true" }, ...children);
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
  const found = readStored("sessionStorage", PREDICTED);
  return isObject(found) ? found : {};
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
  const listed = about.length === 1 ? fig.control(about[0]) : {};
  const drag = listed.options ? `Now choose at “${plainly(listed.label)}”, and see.` : "Now drag, and see.";
  const [said, next] = exercise
    ? ["ruled", "Now move the control: it shows who is right, and the verdict stands here."]
    : ["said", drag];
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
  const sentence = (answer) => [h("b.abh-verdict", ...verdict(answer)), ...why()];
  const noted = (answer) => (answer === null ? [drag] : [`You ${said}: `, ...told(answer), `. ${next}`]);
  const wrong = options.length
    ? [...options.keys()].filter((index) => index !== solution)
    : [solution + 2 * tolerance + 1000];

  const alone = fig.name === "Predict"; // the question is the whole figure
  const onPage = document.documentElement.dataset.content_root !== undefined;
  const place = onPage && !exercise ? `${location.pathname} ${question}` : "";
  /** Keep the answer for a reload; null forgets it. */
  const remember = (answer) => {
    if (!place) return;
    const { [place]: _, ...others } = predicted();
    writeStored("sessionStorage", PREDICTED, answer === null ? others : { ...others, [place]: answer });
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
      "button.abh-button.abh-option",
      { type: "button", "data-option": index, onclick: () => commit(index) },
      ...rich(text),
    ),
  );
  const typed = { type: "number", step: "any", inputmode: "decimal", "aria-label": "Your answer" };
  const field = nativeInput("input.abh-field", typed);
  const send = h("button.abh-button.abh-primary", { type: "submit", "data-action": "commit" }, "Commit");
  const skip = button(alone ? "Show the answer" : "Skip", "skip", () => {
    passed = true;
    if (alone) reveal();
    else show();
  });
  skip.classList.add("abh-quiet-button");
  const note = h("p.abh-noted", { role: "status" });
  const foot = h("div.abh-foot", skip, note, ...[solution, ...wrong].map((answer) => reserved(noted(answer))));
  const el = h(
    "form.abh-ask",
    { "aria-label": `Your ${exercise ? "ruling" : "prediction"}: ${plainly(question)}` },
    exercise ? h("p.abh-label.abh-order", ORDER) : null,
    ...(options.length ? choices : [h("label.abh-asked", field, unit ? h("span", unit) : null), send]),
    alone ? null : foot,
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
  const reveal = () => {
    fig.markInteracted(about);
    fig.redraw();
  };
  const show = () => {
    const [answer, done] = [model.get("answer"), root.classList.contains("abh-touched")];
    if (answer !== null && alone && !done) {
      reveal();
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
    reserved: [null, ...wrong].map((answer) => reserved(sentence(answer))),
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
      fig.onLeave.push(() => model.off("change:answer", show));
      show();
    },
    forget() {
      passed = false;
      field.value = "";
      commit(null);
    },
  };
}
