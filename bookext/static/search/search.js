// The search: MiniSearch over the book's sections, which bookext/search.py writes. Nothing here asks a server for
// anything.
(() => {
  // What the field calls by several names. A section that has one of them is found by each of the others.
  const SAME = [
    ["fp16", "float16", "half precision", "16 bits?", "f16"],
    ["bf16", "bfloat16", "16 bits?"],
    ["flash ?attention", "flash attn"],
    ["rope", "rotary", "rotary positions?", "rotary embeddings?", "roformer"],
    ["nan", "not a number"],
    ["inf", "infinity", "∞"],
    ["gqa", "grouped query"],
    ["mha", "multi ?head attention"],
    ["qk norm", "query key norm\\p{L}*", "qk layernorm"],
    ["kv cache", "key value cache"],
    ["sqrt", "√", "square root", "the root", "root of"],
    ["initiali[sz]ation", "initiali[sz]ed?", "init", "real models start", "at the start"],
    ["hf", "hugging ?face", "halves", "rotate_half"],
    ["meta", "interleaved", "neighbors"],
    ["ntk", "yarn", "context extension", "rope scaling", "long context"],
    ["sinks?", "attention sinks?", "first tokens?"],
    ["leak\\p{L}*", "cheat\\p{L}*"],
    ["mask\\p{L}* fill", "masked_fill"],
    ["kaiming", "xavier", "glorot"],
    ["lr", "learning rate", "step size"],
    ["word2vec", "skip gram", "sgns"],
    ["pmi", "pointwise mutual information"],
  ].map((names) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names.join("|")})(?![\\p{L}\\p{N}_])`, "giu"));
  const COMMON = new Set(
    (
      "a an and are as at be but by can do does for from has have how i in " +
      "instead is it its not of on or that the this to was what when where which why with"
    ).split(" "),
  );
  const [MOST, LONG, LEAD] = [20, 240, 60]; // entries shown; characters of an excerpt, and before its first word
  const WORD = /[\p{L}\p{N}_]+/gu;
  const stem = (word) => word.replace(/^(.{3,}?)(?:ations?|ings?|ed|es|s|e)$/u, "$1");
  const spaced = (text) => text.toLowerCase().replace(/[-‐‑–]/g, " ");

  /** The words of a text, shortened to their stems, parts of names like n_heads too; and what else they are called. */
  function tokenize(text) {
    const even = spaced(text);
    const words = (even.match(WORD) ?? []).flatMap((word) =>
      word.includes("_") ? [word, ...word.split("_")] : [word],
    );
    const also = SAME.flatMap((names, number) => (even.match(names) ?? []).map(() => `=${number}=`));
    return [...words.filter((word) => word && !COMMON.has(word)).map(stem), ...also];
  }

  const searcher = () => {
    const index = new MiniSearch({
      fields: ["title", "page", "text", "code"],
      tokenize,
      processTerm: (term) => term,
    });
    index.addAll(
      SECTIONS.map(([, title, page, text, code], id) => ({
        id,
        title,
        page: page === title ? "" : page,
        text,
        code,
      })),
    );
    return index;
  };

  let index = null;
  /** What is found, best first: sections with the words that were found in them. */
  function find(query) {
    index ??= searcher();
    return index.search(query, {
      boost: { title: 4, code: 0.5 },
      prefix: (term) => term.length > 2 && !term.startsWith("="),
      fuzzy: (term) => (term.length > 4 && !/[\d=]/.test(term) ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
      boostDocument: (id) => SECTIONS[id][5],
    });
  }

  /** The part of a text in which most of the found words stand, as nodes, these words marked. */
  function excerpt(text, terms) {
    const marks = [...text.matchAll(WORD)]
      .filter(([word]) => tokenize(word).some((term) => terms.has(term)))
      .map(({ 0: word, index: at }) => [at, at + word.length]);
    for (const [number, names] of SAME.entries()) {
      if (terms.has(`=${number}=`)) {
        for (const { 0: name, index: at } of spaced(text).matchAll(names)) marks.push([at, at + name.length]);
      }
    }
    marks.sort((one, other) => one[0] - other[0]);
    const within = ([start]) => marks.filter(([at]) => at >= start && at < start + LONG).length;
    const best = marks.reduce((found, mark) => (within(mark) > within(found) ? mark : found), marks[0] ?? [0]);
    const first = best[0] < LEAD ? 0 : text.indexOf(" ", best[0] - LEAD) + 1;
    const last = first + LONG >= text.length ? text.length : text.lastIndexOf(" ", first + LONG);
    const nodes = [first > 0 ? "… " : ""];
    let at = first;
    for (const [start, end] of marks) {
      if (start < at || end > last) continue;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, end);
      nodes.push(text.slice(at, start), mark);
      at = end;
    }
    return [...nodes, text.slice(at, last), last < text.length ? " …" : ""];
  }

  function item({ id, terms }) {
    const [href, title, page, text, code] = SECTIONS[id];
    const [link, where, words] = ["a", "span", "p"].map((name) => document.createElement(name));
    link.href = href;
    link.textContent = title;
    where.textContent = page === title ? "" : page;
    const found = new Set(terms);
    const inCode = !tokenize(text).some((term) => found.has(term)) && tokenize(code).some((term) => found.has(term));
    words.append(...excerpt(inCode ? code : text, found));
    const entry = document.createElement("li");
    entry.append(link, " ", where, words);
    return entry;
  }

  const page = document.querySelector(".abh-found");
  const field = page.querySelector("input");
  function show() {
    const query = field.value.trim();
    const found = query ? find(query) : [];
    page.querySelector("ol").replaceChildren(...found.slice(0, MOST).map(item));
    const count = found.length > MOST ? `The best ${MOST} of ${found.length} sections` : `${found.length} sections`;
    page.querySelector("[role=status]").textContent = !query
      ? ""
      : found.length
        ? found.length === 1
          ? "1 section"
          : count
        : "Nothing found. Try fewer words, or another name for it.";
  }
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", () => {
    show();
    try {
      history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
    } catch {} // a browser that refuses it to a file keeps the address
  });
  page.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  show();
  field.focus();
})();
