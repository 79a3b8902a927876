// A question in the page that no figure answers: the explanation follows at once. Python twin:
// attn/explore/predict.py.
import { figure } from "./draw/figure.js";

/** No numbers. */
const compute = () => ({});

function render({ model, el }) {
  return figure({ el, model, compute, question: "", answer: "" }).mount();
}

export default { render, compute };
