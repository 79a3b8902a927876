// A field for a text of the reader's own, bound to a trait.
import { fitsText } from "../states.js";
import { h, put, rich, write } from "./elements.js";

/**
 * A native text field with a label. What its trait may hold, the rule of a link says: ["text", letters, fewest, most].
 * A text that keeps it is taken at once, capitals as small letters; of any other, `says(text, rule)` tells in a
 * sentence what is wrong, and the figure stays as it was. Where the caret stands is the browser's: the field is
 * written to only where the trait holds something else than what was typed. It takes no more letters than are read,
 * and says so when it is full.
 *
 * also(text, caret)   further changes, set with the text; `caret` is how many letters stand before the caret
 */
export function field(fig, { key, says, also = () => ({}) }) {
  const { label } = fig.control(key);
  const rule = fig.model.get("rules")[key];
  const [, ...limits] = rule;
  const input = h("input.abh-field.abh-typed", {
    type: "text",
    name: key,
    size: limits[2],
    maxlength: limits[2],
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "done",
    "data-lm-suppress-shortcuts": "true",
  });
  const hint = h("p.abh-typed-hint", { role: "status" });
  const typed = () => input.value.toLowerCase();
  const fits = (text) => fitsText(text, limits);
  const judge = (text) => {
    const good = fits(text);
    put(input, "aria-invalid", !good);
    const full = text.length === limits[2] ? `This is all that it takes: ${limits[2]} letters.` : "";
    write(hint, good ? full : says(text, rule));
    return good;
  };
  let kept = null; // the text that the field was last in step with
  const send = (final) => {
    const text = typed();
    if (!judge(text)) return;
    kept = text;
    if (text === fig.state()[key] && !final) return;
    fig.markInteracted([key]);
    fig.set({ [key]: text, ...(text === fig.state()[key] ? {} : also(text, input.selectionStart)) }, { final });
  };
  input.addEventListener("input", () => send(false));
  input.addEventListener("change", () => fits(typed()) && send(true));
  input.addEventListener("keydown", (event) => event.key === "Enter" && input.blur());
  fig.onReset.push(() => {
    kept = null;
  });
  fig.add((_, state) => {
    if (state[key] === kept) return;
    kept = state[key];
    if (typed() !== kept) input.value = kept;
    judge(kept);
  });
  return h("div.abh-typing-room", h("label.abh-typing", h("span.abh-label", ...rich(label)), input), hint);
}
