// Slips of any calculation: a lost minus, a term left out, two numbers swapped, a turned sign. They are found from a
// step's own function. Python twins: `slips` in attn/practice/mistakes, `slipped` in
// attn/practice/exercise.py.
import { mapped, sumOf } from "../core.js";

export const NARROW = 0.005; // two decimals
export const EDGE = 1e-9;

/** Twin of `slips` in attn/practice/mistakes: what a lost minus and the like give, and where one may be alone. */
function slipsOf(right, known, names) {
  const answer = right(known);
  const all = (test) => answer.map((row, i) => row.map((value, j) => test(value, i, j)));
  const [anywhere, nowhere] = [all(() => true), all(() => false)];
  const found = { "other-sign": [[all((value) => -value), anywhere]], swapped: [], "minus-lost": [], "left-out": [] };
  const pairs = (n) =>
    Array.from({ length: n }, (_, one) => Array.from({ length: n - one - 1 }, (__, k) => [one, one + k + 1])).flat();
  const swap = (k, [one, other]) => (k === one ? other : k === other ? one : k);
  for (const pair of pairs(answer.length)) found.swapped.push([all((_, i, j) => answer[swap(i, pair)][j]), nowhere]);
  for (const pair of pairs(answer[0].length))
    found.swapped.push([all((_, i, j) => answer[i][swap(j, pair)]), nowhere]);
  const ways = names.map((name) => {
    const given = known[name];
    const instead = (value) => {
      try {
        return right({ ...known, [name]: mapped(given, value) });
      } catch {
        return all(() => NaN); // such a number can't go in
      }
    };
    const at = (i, j, value) => instead((old, r, c) => (r === i && c === j ? value : old));
    const places = given.flatMap((row, i) => row.flatMap((value, j) => (value ? [[i, j, value]] : [])));
    const without = places.map(([i, j]) => at(i, j, 0));
    const minus = places.filter(([, , value]) => value < 0);
    const turned = minus.map(([i, j, value]) => at(i, j, -value));
    if (minus.length) turned.push(instead(Math.abs));
    return { without, turned, parts: without.map((other) => all((value, i, j) => value - other[i][j])) };
  });
  const whole = ways.flatMap(({ parts }) => parts);
  const addsUp = (parts, value, i, j) => Math.abs(sumOf(parts.map((part) => part[i][j])) - value) <= 1e-9;
  const many = (parts, i, j) => parts.filter((part) => Math.abs(part[i][j]) > 1e-9).length > 1;
  for (const { without, turned, parts } of ways) {
    const lists = [parts, whole];
    const sums = all((value, i, j) => lists.some((list) => addsUp(list, value, i, j)));
    const several = all((value, i, j) => lists.some((list) => addsUp(list, value, i, j) && many(list, i, j)));
    for (const other of without)
      found["left-out"].push([all((_, i, j) => (several[i][j] ? other[i][j] : NaN)), several]);
    for (const other of turned) found["minus-lost"].push([other, sums]);
  }
  return found;
}

/** Twin of `slipped` in _by_hand.py: the one slip that explains all wrong cells, or "". */
export function slipped(right, { name, tolerance }, known, names, answer, isRight) {
  const fitting = Object.entries(slipsOf(right, known, names)).filter(([, ways]) => {
    const fits = (value, i, j) =>
      Math.abs(answer[i][j] - value[i][j]) <= tolerance + EDGE &&
      Math.abs(value[i][j] - known[name][i][j]) > 2 * tolerance + NARROW;
    const cells = answer.flatMap((row, i) => row.map((_, j) => [i, j])).filter(([i, j]) => !isRight(i, j));
    return (
      cells.every(([i, j]) => ways.some(([value, alone]) => alone[i][j] && fits(value, i, j))) ||
      ways.some(([value]) => cells.every(([i, j]) => fits(value, i, j)))
    );
  });
  const kinds = fitting.map(([kind]) => kind);
  if (String(kinds) === "other-sign,minus-lost") return "other-sign";
  return kinds.length === 1 ? kinds[0] : "";
}
