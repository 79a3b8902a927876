// Complete the pattern: two layers without one of their parts. Python twin: attn/explore/small/induction.py.
import { small } from "../draw/small.js";
import { TEXT, completed, rightOf16 } from "../two_layers.js";

const WHY = {
  nothing: "Both layers and all ways: `1` is far ahead.",
  "layer 1": "Nobody has noted anything, so layer 2 looks everywhere alike: `A` is ahead, as it stands there twice.",
  "layer 2": "The notes are there, and nobody reads them.",
  "way 1": "Layer 2 has notes, and neither a name to look for nor a word to say.",
  "way 2": "As before: what goes round layer 2 has nothing in the lane of the answer.",
  places: "Each word looks alike at all up to itself, so a note tells who was there, not who came before.",
  mask: "Nearly as before: `BOS`, with nobody before it, now notes all words alike, a third of it `A`.",
  BOS: "The first name has nobody before it, and notes itself. Half of the questions ask for it.",
};

const compute = ({ part }) => {
  const says = (tokens) => completed(tokens, { without: part });
  return { logits: [says(TEXT)], right: [[rightOf16(says)]] };
};

const render = small({
  name: "PartLeftOut",
  question: "Which parts can these weights do without? Say it before you choose.",
  compute,
  tell: ({ right: [[right]] }, { part }) => `${WHY[part]} ${right} of 16 are right.`,
});

export default { render, compute };
