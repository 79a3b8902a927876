// Complete the pattern: how sharp both looks must be. Python twin: attn/explore/small/induction.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";
import { TEXT, VOCABULARY, completed, rightOf16 } from "../two_layers.js";

const compute = ({ beta }) => {
  const says = (tokens) => completed(tokens, beta);
  return { logits: [says(TEXT)], right: [[rightOf16(says)]] };
};

const render = small({
  name: "SharpLooks",
  question: "How large must the factor be for all sixteen questions to be right?",
  compute,
  tell: ({ logits: [logits], right: [[right]] }) => {
    const most = logits.indexOf(Math.max(...logits));
    const said = `\`${VOCABULARY[most]}\` is ahead with ${number(logits[most])}`;
    if (right === 16) return `${said}: the looks are sharp enough for all sixteen.`;
    if (most !== 4) return `${said}, since \`A\` stands there twice. ${right} of 16 are right.`;
    return `${said}, but \`B 1 A 0 A\` is not right yet. ${right} of 16 are.`;
  },
});

export default { render, compute };
