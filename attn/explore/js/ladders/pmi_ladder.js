// Chapter 7. Puzzles on a table of four pairs. What each asks: attn/explore/practice/ladders/pmi.py.
import { asAtFirst, ladder } from "../draw/ladder.js";
import { default as table } from "../pmi.js";

const near = (a, b, by = 1e-9) => Math.abs(a - b) < by;
/** Numbers of the table are in the unit that the reader chose. */
const inBits = (value, { unit }) => (unit === "bits" ? value : value / Math.LN2);
const bits = (x, state) => inBits(x.mutual_information, state);

export default ladder(table, [
  (x) => x.joint.flat().every((p) => near(p, 0.25)),
  (x, state) => near(bits(x, state), 1),
  (x, state) => inBits(x.pmi[0][0], state) > 4.3,
  (x, state) => Math.min(...x.pmi.flat().map((value) => inBits(value, state))) > 1e-9,
  (x, state, first) => asAtFirst(state, first, "p_row") && x.never.flat().filter(Boolean).length === 2,
  (x, state) => near(state.p_row, 0.5) && near(state.p_column, 0.5) && near(bits(x, state), 0.5, 0.001),
  (x, state) => x.weights[0].every((p, j) => near(p, x.weights[1][j])) && bits(x, state) > 0.001,
]);
