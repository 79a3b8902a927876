// Chapter 2. A score of coins has variance d_k. Python twin: attn/explore/small/qk_variance.py.
import { normalCdf } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

/** How many of 2^n ways have so many heads. */
const choose = (n, heads) => {
  let ways = 1;
  for (let i = 1; i <= heads; i += 1) ways = (ways * (n - heads + i)) / i;
  return ways;
};

const compute = ({ d_k }) => {
  const n = 2 * Math.floor(d_k / 2);
  const share = new Array(17).fill(0);
  for (let heads = 0; heads <= n; heads += 1) share[8 + heads - n / 2] = choose(n, heads) / 2 ** n;
  const variance = share.reduce((sum, p, i) => sum + p * (2 * i - 16) ** 2, 0);
  const below = share.map((_, i) => (i ? normalCdf((2 * i - 17) / Math.sqrt(n)) : 0));
  const normal = below.map((left, i) => (i < 16 ? below[i + 1] : 1) - left);
  return { share: [share], normal: [normal], variance: [[variance]], deviation: [[Math.sqrt(variance)]] };
};

const render = small({
  name: "SumOfCoins",
  question: "Add more coins. Do their sums stay near 0, or do they wander off?",
  compute,
  tell: (x, { d_k }) =>
    `${number(d_k)} coins: variance ${number(d_k)}. The sums wander off slowly: ` +
    "with four times as many coins, twice as far.",
});

export default { render, compute };
