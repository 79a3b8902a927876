// Chapter 6. What a sample gains, its mirror image loses. Python twin: attn/explore/small/learning_xor.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const all = (logit) => {
  const [sample, mirror] = [Math.log1p(Math.exp(-logit)), Math.log1p(Math.exp(logit))];
  return [sample, mirror, (sample + mirror) / 2];
};
const LINE = Array.from({ length: 81 }, (_, i) => all(-4 + i / 10));

const compute = ({ logit }) => ({
  losses: [0, 1, 2].map((which) => LINE.map((three) => three[which])),
  losses_now: all(logit).map((loss) => [loss]),
});

const render = small({
  name: "SampleAndMirror",
  question: "Make it surer of the sample. What does its mirror image cost then?",
  compute,
  tell({ losses_now: [[sample], [mirror], [mean]] }, { logit }) {
    if (logit === 0) return `All three are ${number(mean)}, which is ln 2: the mean can't be lower.`;
    return `Sample ${number(sample)}, mirror ${number(mirror)}, mean ${number(mean)}: a coin would cost 0.69.`;
  },
});

export default { render, compute };
