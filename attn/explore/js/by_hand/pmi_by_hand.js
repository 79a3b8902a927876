// Chapter 7, by hand: from a table of days to PMI. Python twins: attn/explore/practice/by_hand/pmi.py,
// attn/practice/mistakes/pmi.py.
import { mapped, pmi, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const all = (days) => sumOf(days.flat());
const rowSums = (days) => days.map(sumOf);
const columnSums = (days) => days[0].map((_, j) => sumOf(days.map((row) => row[j])));
const column = (values) => values.map((value) => [value]);
const outer = (one, other) => one.map((a) => other.map((b) => a * b));

export default byHand("PmiByHand", {
  skies: {
    right: ({ days }) => column(rowSums(days)),
    mistakes: {
      columns: ({ days }) => column(columnSums(days)),
      shares: ({ days }) => column(rowSums(days).map((sum) => sum / all(days))),
      first: ({ days }) => column(days.map(([wet]) => wet)),
    },
  },
  streets: {
    right: ({ days }) => [columnSums(days)],
    mistakes: {
      rows: ({ days }) => [rowSums(days)],
      shares: ({ days }) => [columnSums(days).map((sum) => sum / all(days))],
      first: ({ days }) => [days[0]],
    },
  },
  chance: {
    right: ({ skies, streets }) => mapped(outer(skies.flat(), streets[0]), (value) => value / all(skies)),
    mistakes: {
      undivided: ({ skies, streets }) => outer(skies.flat(), streets[0]),
      swapped: ({ skies, streets }) => mapped(outer(streets[0], skies.flat()), (value) => value / all(skies)),
      even: ({ days }) => mapped(days, () => all(days) / 4),
    },
  },
  ratios: {
    right: ({ days, chance }) => mapped(days, (value, i, j) => value / chance[i][j]),
    mistakes: {
      "upside-down": ({ days, chance }) => mapped(days, (value, i, j) => chance[i][j] / value),
      shares: ({ days }) => mapped(days, (value) => value / all(days)),
      "one-margin": ({ days, skies }) => mapped(days, (value, i) => value / skies[i][0]),
      difference: ({ days, chance }) => mapped(days, (value, i, j) => value - chance[i][j]),
    },
  },
  bits: {
    right: ({ days }) => [[pmi(mapped(days, (value) => value / all(days)))[0][0] / Math.LN2]],
    mistakes: {
      nats: ({ ratios }) => [[Math.log(ratios[0][0])]],
      decimal: ({ ratios }) => [[Math.log10(ratios[0][0])]],
      turned: ({ ratios }) => [[-Math.log2(ratios[0][0])]],
      "no-logarithm": ({ ratios }) => [[ratios[0][0]]],
    },
  },
});
