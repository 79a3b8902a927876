// Chapter 0. Words in another order: the same outputs in another order. Python twin: attn/explore/small/attention.py.
import { matmul, scaledScores, softmax } from "../core.js";
import { small } from "../draw/small.js";

const WORDS = ["the", "cat", "sat"];
const [Q, K, V] = [
  [
    [1, 0],
    [-1, 2],
    [2, 0],
  ],
  [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  [
    [2, 2],
    [-2, -1],
    [2, -2],
  ],
];

const compute = ({ order }) => {
  const places = order.split(" ").map((word) => WORDS.indexOf(word));
  const [q, k, v] = [Q, K, V].map((rows) => places.map((place) => rows[place]));
  return { output: matmul(scaledScores(q, k).map(softmax), v) };
};

const render = small({
  name: "WordsShuffled",
  question: "Put the words in another order. Does any word get a different output?",
  compute,
  tell: (_, { order }) =>
    order === WORDS.join(" ")
      ? "The order of the sentence: a row for each word."
      : `The same three rows, ordered as the words are: ${order}. Attention did not notice the order.`,
});

export default { render, compute };
