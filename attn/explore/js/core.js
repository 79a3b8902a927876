// Pure mathematics: numbers in, numbers out. No DOM, no imports, inputs never changed.
// A matrix is an array of rows; a mask is an array of rows of booleans, true = may look.
// Each function has a NumPy twin in attn/, and a browser test says that they agree to 1e-12.

/** Inner product of two vectors of equal length. */
export const dot = (a, b) => {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i];
  return total;
};

/** a (n, d) times the transpose of b (m, d) -> (n, m). */
export const matmulT = (a, b) => a.map((row) => b.map((other) => dot(row, other)));

/** a (n, m) times b (m, d) -> (n, d). */
export const matmul = (a, b) => {
  const width = b.length ? b[0].length : 0;
  return a.map((row) => {
    const out = new Array(width).fill(0);
    for (let j = 0; j < b.length; j += 1) {
      for (let c = 0; c < width; c += 1) out[c] += row[j] * b[j][c];
    }
    return out;
  });
};

/** Sum of a vector. */
export const sumOf = (x) => x.reduce((sum, value) => sum + value, 0);

/** A matrix with a function applied to each entry: (value, row, column) => value. */
export const mapped = (rows, change) => rows.map((row, i) => row.map((value, j) => change(value, i, j)));

/** Softmax of a vector; all −∞ (or empty) gives zeros. Twin: attn.softmax.softmax. */
export const softmax = (x) => {
  let top = -Infinity;
  for (const value of x) if (value > top) top = value;
  if (top === -Infinity) return x.map(() => 0);
  const e = x.map((value) => (value === -Infinity ? 0 : Math.exp(value - top))); // exp takes its time for −∞ too
  let total = 0;
  for (const value of e) total += value;
  return e.map((value) => value / total);
};

/** Mean 0 and variance 1 for a row, times gain plus bias where they are given. Twin: attn.transformer.layer_norm. */
export const layerNorm = (row, gain = null, bias = null) => {
  const mean = sumOf(row) / row.length;
  const away = row.map((value) => value - mean);
  const spread = Math.sqrt(sumOf(away.map((value) => value * value)) / row.length + 1e-5);
  return away.map((value, i) => (value / spread) * (gain ? gain[i] : 1) + (bias ? bias[i] : 0));
};

/** Scaled scores q kᵀ · scale, by default with scale 1/√d_k. */
export const scaledScores = (q, k, scale = 1 / Math.sqrt(q[0].length)) =>
  q.map((row) => k.map((other) => dot(row, other) * scale));

/** Replace the scores of hidden pairs by `fill` (−∞ by default). */
export const maskScores = (scores, mask, fill = -Infinity) =>
  scores.map((row, i) => row.map((value, j) => (mask[i][j] ? value : fill)));

/** The n × m matrix whose (i, j) entry is entry(i, j). */
export const matrixFrom = (n, m, entry) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => entry(i, j)));

/** Twins of attn.masks: causal, padding (as a full matrix), sliding window, prefix. */
export const causalMask = (n) => matrixFrom(n, n, (i, j) => j <= i);
export const paddingMask = (n, length) => matrixFrom(n, n, (i, j) => j < length);
export const slidingWindowMask = (n, window) => matrixFrom(n, n, (i, j) => i - j >= 0 && i - j < window);
export const prefixMask = (n, nPrefix) => matrixFrom(n, n, (i, j) => j < nPrefix || j <= i);

/** ω_i = base^(−2i/d), one for each pair of dimensions. Twin: attn.positional.angular_frequencies. */
export const angularFrequencies = (dModel, base) =>
  Array.from({ length: dModel / 2 }, (_, i) => base ** ((-2 * i) / dModel));

const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** Cosine and sine of whole quarter turns, as whole numbers: no 6e-17 in sight. */
export const quarterTurn = (quarters) => QUARTERS[((quarters % 4) + 4) % 4];

const [besideNeighbor, besideHalf] = [
  (x, i) => (i % 2 ? x[i - 1] : -x[i + 1]),
  (x, i, half) => (i < half ? -x[i + half] : x[i - half]),
];
const [clockOfNeighbor, clockOfHalf] = [(i) => i >> 1, (i, half) => i % half];
/** What stands beside a number in its pair, with the sign of a quarter turn; and whose angle it turns by. */
const LAYOUTS = {
  neighbors: [besideNeighbor, clockOfNeighbor],
  halves: [besideHalf, clockOfHalf],
  mixed: [besideNeighbor, clockOfHalf], // a bug: the two numbers of a pair turn by two angles
};

/** A row whose pairs are turned, each by its own clock's [cosine, sine]. */
export const turnPairs = (x, turns, layout = "neighbors") => {
  const [[beside, clockOf], half] = [LAYOUTS[layout], x.length / 2];
  return x.map((value, i) => {
    const [cos, sin] = turns[clockOf(i, half)];
    return value * cos + beside(x, i, half) * sin;
  });
};

/** Sine and cosine in turn, of `pos` times each dimension's own frequency: one row of a positional encoding. */
export const sinusoids = (pos, frequencies) =>
  frequencies.map((omega, j) => (j % 2 ? Math.cos : Math.sin)(pos * omega));

/** Entropy in nats, with 0 log 0 = 0. Twin: attn.softmax.entropy. */
export const entropy = (p) =>
  Math.max(0, -p.reduce((sum, value) => sum + (value > 0 ? value * Math.log(value) : 0), 0));

/** Frobenius norm of diag(p) − p pᵀ. Twin: attn.variance.jacobian_norm. */
export const jacobianNorm = (p) => {
  let total = 0;
  for (let i = 0; i < p.length; i += 1) {
    for (let j = 0; j < p.length; j += 1) total += (p[i] * ((i === j ? 1 : 0) - p[j])) ** 2;
  }
  return Math.sqrt(total);
};

/** Variance of a list of numbers, estimated with n − 1, and the standard error of that estimate. */
export const spreadOf = (values) => {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  let [second, fourth] = [0, 0];
  for (const x of values) {
    const square = (x - mean) ** 2;
    second += square;
    fourth += square * square;
  }
  return { mean, variance: second / (n - 1), error: Math.sqrt(Math.max(0, fourth / n - (second / n) ** 2) / n) };
};

/** The share of a standard normal distribution below x, by a series of positive terms. Twin: math.erf. */
export const normalCdf = (x) => {
  if (Math.abs(x) > 8.5) return x > 0 ? 1 : 0;
  let [term, sum] = [x, x];
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) sum += term *= (x * x) / k;
  return clamp(0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI), 0, 1); // rounding leads beyond
};

/** Stir 32 bits: lowbias32 by Chris Wellons. */
const mix32 = (x) => {
  let bits = x ^ (x >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
};

/** The first `count` (even) standard normal numbers of a seeded stream. Twin: attn.explore._draws.normals. */
export const normals = (seed, count) => {
  const out = new Float64Array(count);
  const start = mix32(seed);
  const whole = (i) => mix32((start + Math.imul(i, 0x9e3779b9)) | 0);
  const uniform = (i) => (whole(i) + 0.5) / 4294967296; // inside (0, 1)
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(uniform(i)));
    const angle = 2 * Math.PI * uniform(i + 1);
    out[i] = radius * Math.cos(angle);
    out[i + 1] = radius * Math.sin(angle);
  }
  return out;
};

/** PMI of a joint table in nats; −∞ where two never meet. Twin: attn.pmi.pmi with base e. */
export const pmi = (joint) => {
  const rows = joint.map((row) => row.reduce((sum, p) => sum + p, 0));
  const columns = joint[0].map((_, j) => joint.reduce((sum, row) => sum + row[j], 0));
  return joint.map((row, i) =>
    row.map((p, j) => (p > 0 ? Math.log(p) - Math.log(rows[i]) - Math.log(columns[j]) : -Infinity)),
  );
};

/** PMI over −log p(i, j): −1 for pairs that never meet, 1 for pairs that occur only together. Twin: attn.pmi. */
export const npmi = (joint) =>
  pmi(joint).map((row, i) =>
    row.map((value, j) => {
      const p = joint[i][j];
      return p <= 0 ? -1 : p >= 1 ? 0 : Math.min(1, Math.max(-1, value / -Math.log(p)));
    }),
  );

/** Mean of PMI over the pairs as they occur, in nats. Twin: attn.pmi.mutual_information with base e. */
export const mutualInformation = (joint) => {
  const values = pmi(joint);
  const terms = joint.flatMap((row, i) => row.map((p, j) => (p > 0 ? p * values[i][j] : 0)));
  return Math.max(
    0,
    terms.reduce((sum, term) => sum + term, 0),
  );
};

/** A number of two bytes, as float16 has it: a sign, 5 bits of power, 10 bits after the one. */
const shortFloat = (bits) => {
  const [sign, power, rest] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (power ? 2 ** (power - 15) * (1 + rest / 1024) : 2 ** -24 * rest);
};

/** The finite numbers of two bytes each in a base64 text. Twin: numpy.frombuffer(…, "<f2"). */
export const halvesFrom = (text) => {
  const bytes = atob(text);
  return Array.from({ length: bytes.length / 2 }, (_, i) =>
    shortFloat(bytes.charCodeAt(2 * i) + 256 * bytes.charCodeAt(2 * i + 1)),
  );
};

/** Euclidean distance between two vectors. */
export const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

/** The vector of a length in a direction, in degrees counter-clockwise from east. */
export const vectorOf = (degrees, length) => {
  const turn = (degrees * Math.PI) / 180;
  return [length * Math.cos(turn), length * Math.sin(turn)];
};

/** The direction of a vector, in degrees counter-clockwise from east. */
export const degreesOf = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

/** Corners of the convex hull of points of the plane, counter-clockwise. */
export const convexHull = (points) => {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
};

/**
 * The part of a convex polygon where `value` (affine: point → number) is not negative, and where the cut meets its rim.
 */
export const clipPolygon = (corners, value) => {
  const rim = [];
  const kept = corners.flatMap((p, i) => {
    const next = corners[(i + 1) % corners.length];
    const [a, b] = [value(p), value(next)];
    if (a >= 0 === b >= 0) return a >= 0 ? [p] : [];
    const cross = p.map((x, c) => x + (a / (a - b)) * (next[c] - x));
    rim.push(cross);
    return a >= 0 ? [p, cross] : [cross];
  });
  return { kept, rim };
};

/** Whether the way from one point to another touches a box. */
export const crosses = ({ left, right, top, bottom }, [x0, y0], [x1, y1]) => {
  let [first, last] = [0, 1]; // the part of the way that is inside all sides so far
  for (const [room, step] of [
    [x0 - left, x1 - x0],
    [right - x0, x0 - x1],
    [y0 - top, y1 - y0],
    [bottom - y0, y0 - y1],
  ]) {
    if (step === 0 && room < 0) return false;
    if (step > 0) first = Math.max(first, -room / step);
    if (step < 0) last = Math.min(last, -room / step);
  }
  return first <= last;
};

/** Round to the decimals of `step`, so that 0.1 + 0.2 shows and travels as 0.3. */
export const snap = (value, step) => {
  const decimals = (String(step).split(".")[1] ?? "").length; // 0.25 has two
  return Number((Math.round(value / step) * step).toFixed(decimals));
};

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
