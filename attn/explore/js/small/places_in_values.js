// Chapter 5. Values that know places and no bit. Python twin: attn/explore/small/xor_by_attention.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ place }) => {
  const [own, other] = softmax([2, 0]);
  const unequal = place * (own - other);
  return { own: [[0.5, own, own, 0.5]], says: [[0, unequal, unequal, 0]] };
};

const render = small({
  name: "PlacesInValues",
  question: "The values know no bit. Where does the answer come from?",
  compute,
  tell: ({ says: [[, unequal]] }, { place }) =>
    place === 0
      ? "Both places have the value 0, and row 1 says 0 whatever its weights are."
      : `Unequal bits: 0.881 of ${number(place)}, 0.119 of ${number(-place)}, together ${number(unequal)}. ` +
        "Equal bits: half and half, 0.",
});

export default { render, compute };
