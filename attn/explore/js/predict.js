// A question in the page. The explanation shows once the reader has committed to an answer. Python twin: attn/explore/predict.py.
import { figure, h, rich } from "./draw.js";

const KEYS = ["answer", "committed"];

function render({ model, el }) {
  const options = model.get("options");
  const [solution, tolerance, unit] = [model.get("solution"), model.get("tolerance"), model.get("unit")];
  const right = (answer) => (options.length ? answer === solution : Math.abs(answer - solution) <= tolerance);
  const told = (answer) => (options.length ? options[answer] : `${String(Number(answer.toFixed(4))).replace("-", "−")}${unit}`);
  const fig = figure({
    el, model, name: "Predict", keys: KEYS, question: model.get("question"), answer: "",
    compute: (state) => ({ ...state, right: state.answer !== null && right(state.answer) }),
  });
  const commit = h("button", { type: "submit", class: "abh-button abh-primary", "data-action": "commit" }, "Commit");
  const verdict = h("p", { class: "abh-verdict" });
  const why = h("div", { class: "abh-why" }, ...model.get("explanation").split("\n\n").map((text) => h("p", {}, ...rich(text))));
  const result = h("div", { class: "abh-result", role: "status" });
  const attributes = { name: "answer", "data-lm-suppress-shortcuts": "true" };
  const inputs = options.length
    ? options.map((_, index) => h("input", { type: "radio", value: index, ...attributes }))
    : [h("input", { type: "number", step: "any", inputmode: "decimal", class: "abh-field", "aria-label": "Your answer", ...attributes })];
  const asked = options.length
    ? h("div", { class: "abh-answers", role: "radiogroup", "aria-label": "Answers" }, ...options.map((text, index) => h("label", {}, inputs[index], h("span", {}, ...rich(text)))))
    : h("label", { class: "abh-answers" }, inputs[0], unit ? h("span", {}, unit) : null);
  const form = h("form", {}, asked, commit);

  inputs.forEach((input, index) => input.addEventListener("input", () => {
    const answer = options.length ? index : input.valueAsNumber;
    fig.set({ answer: Number.isFinite(answer) ? answer : null }, { final: true });
  }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (fig.state().answer !== null) fig.set({ committed: true }, { final: true });
  });
  fig.add((x) => {
    inputs.forEach((input, index) => {
      input.disabled = x.committed;
      if (options.length) input.checked = x.answer === index;
      else if (x.answer === null ? input.value !== "" : input.valueAsNumber !== x.answer) input.value = x.answer ?? "";
    });
    commit.disabled = x.committed || x.answer === null;
    fig.root.classList.toggle("abh-committed", x.committed);
    fig.root.dataset.right = x.committed ? String(Number(x.right)) : "";
    if (x.committed && !result.hasChildNodes()) {
      verdict.replaceChildren(...rich(x.right ? `✓ Yes: ${told(solution)}.` : `You said ${told(x.answer)}. It is: ${told(solution)}.`));
      result.append(verdict, why);
    }
    if (!x.committed) result.replaceChildren();
  });
  fig.stage.append(form, result);
  fig.more.remove();
  fig.next.remove();
  return fig.mount();
}
export default { render };
