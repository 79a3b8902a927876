// The four cases of two bits, and a glass for each: what the figures of chapter 6 share.
import { matrix } from "./matrix.js";

export const CASES = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
]; // a and d
export const DIFFER = CASES.map(([a, d]) => a !== d);
export const CASE_SIGNS = CASES.map((bits) => bits.map((bit) => (bit > 0 ? "+" : "−")).join(" "));
export const bitText = (bit) => (bit > 0 ? "+1" : "−1");
const CASE_NAMES = CASES.map((bits) => bits.map(bitText).join(" "));

/** How sure a network is that the bits of each case differ: `decision` (1, 4), and ✓ or ✗ by `right` (4). */
export function glasses(fig) {
  const view = matrix(fig, {
    name: "decision",
    label: "how sure that a ≠ d",
    kind: "weight",
    rows: ["says"],
    cols: CASE_NAMES,
    rowHeads: false,
    bare: true,
    fit: true,
    names: (x) => ({ cols: CASE_NAMES.map((name, i) => `${name} ${x.right[i] ? "✓" : "✗"}`) }),
  });
  view.classList.add("abh-tall", "abh-low");
  return view;
}
