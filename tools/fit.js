// The book's pages as columns: each chapter is laid out in columns as large as a page's text, which breaks as on paper.
// So one can look where a page would end, change what leaves a hole at its foot, look again; and say on which page
// everything is. At the end each page that starts with a whole block is told to start there.
// oxlint-disable-next-line no-unused-expressions -- tools/pdf.py calls it
({ width, height, spare, between }) => {
  const GAP = 40; // between pages that stand side by side
  const LOW = 0.1; // a hole of less than that share of a page stays
  const [LEAST, MOST] = [0.7, 1.25]; // how much smaller or larger a picture gets
  const FLOW =
    "section, article, div.part, div.cell, div.cell_output, div.output, div.answer, div.admonition, div.exercise > div";
  const HEADING = "h1, h2, h3, h4, h5, .answer-title, .admonition-title";
  const SEEN = ".question, .abh-still > *, .pointer"; // of a figure
  const CELL = "div.cell, div.cell_output, div.output";
  const depth = height - spare;
  const half = (width - between) / 2;
  const report = { shrunk: 0, moved: 0, raised: 0, grown: 0, pages: {} };

  const style = document.createElement("style");
  style.textContent = `
    .fitting { width: ${width}px !important; height: ${depth}px !important; columns: auto !important;
      column-width: ${width}px !important; column-gap: ${GAP}px !important; column-fill: auto !important; }
    .fitting.small { column-width: ${half}px !important; column-gap: ${between}px !important; }
    .chapter:not(.fitting), #cover, #imprint { display: none !important; }`;
  document.head.append(style);

  const leaves = (node) =>
    [...node.children].flatMap((child) =>
      child.matches(FLOW) ? leaves(child) : getComputedStyle(child).display === "none" ? [] : [child],
    );

  // In which column a place is.
  const column = (chapter, x) =>
    Math.floor(
      (x - chapter.getBoundingClientRect().left + 1) / (chapter.matches(".small") ? half + between : width + GAP),
    );

  // A figure with its question reaches to the foot of a page if its picture stands on the next one: its parts tell.
  const parts = (block) => (block.matches(".abh-slot") ? [...block.querySelectorAll(SEEN)] : [block]);

  // For each column the pieces of blocks in it, from where to where.
  function look(chapter) {
    const { top } = chapter.getBoundingClientRect();
    const columns = [];
    for (const block of leaves(chapter))
      for (const rect of parts(block).flatMap((part) => [...part.getClientRects()]))
        if (rect.height >= 1)
          (columns[column(chapter, rect.left)] ??= []).push({
            block,
            bottom: rect.bottom - top,
            height: rect.height,
          });
    return Array.from(columns, (pieces) => pieces ?? []);
  }

  const hole = (pieces) => depth - Math.max(0, ...pieces.map(({ bottom }) => bottom));
  const tall = (node) => node.getBoundingClientRect().height;
  const PICTURE = ".abh-still";
  const pictures = (block) => (block.matches(PICTURE) ? [block] : [...block.querySelectorAll(PICTURE)]);
  const total = (group) => group.reduce((sum, picture) => sum + tall(picture), 0);

  const shares = new Map(); // of its own size, for each picture that was changed
  const natural = new Map();
  const share = (picture) => shares.get(picture) ?? 1;

  function scale(picture, to) {
    if (!natural.has(picture)) natural.set(picture, getComputedStyle(picture).zoom);
    const styles = { zoom: natural.get(picture) * to, width: `${Math.min(to, 1) * 100}%`, "margin-inline": "auto" };
    for (const [name, value] of Object.entries(styles)) picture.style.setProperty(name, value, "important");
    shares.set(picture, to);
  }

  const text = (block) => block?.matches("p, ul, ol, div.math, div.cell") && !pictures(block).length;
  const ends = (block) =>
    block.matches("div.cell") || (block.matches("p, ul, ol") && /[.?!∎”)]$/.test(block.textContent.trim()));

  // The text on one side of a figure, in its section, that may stand on its other side.
  function neighbors(block, side) {
    let edge = block;
    while (edge.parentElement.matches(CELL) && (side === "previousElementSibling" || !edge[side]))
      edge = edge.parentElement;
    const found = [];
    for (let next = edge[side]; text(next) && found.length < 6; next = next[side]) found.push(next);
    return found;
  }
  const following = (block) => neighbors(block, "nextElementSibling").filter(ends);
  const leading = (block) =>
    neighbors(block, "previousElementSibling").filter(
      ({ previousElementSibling: last }) => last && (last.matches(HEADING) || ends(last)),
    );

  // Do something about the hole at the end of a page. Says whether it helped.
  function mend(chapter, at) {
    const pages = look(chapter);
    if (at + 1 >= pages.length) return false;
    const before = hole(pages[at]);
    const next = pages[at + 1].find(({ block }) => !block.matches(HEADING));
    if (before < LOW * depth || !next) return false;
    const { block } = next;
    const now = () => hole(look(chapter)[at]);
    const own = pictures(block);
    const others = pages[at].flatMap((piece) => pictures(piece.block));

    // What comes next gets smaller, or it and the pictures of this page do.
    const pieces = pages[at + 1].filter((piece) => piece.block === block);
    const needed = Math.max(...pieces.map(({ bottom }) => bottom)) - before + 4;
    for (const group of [own, [...own, ...others], others]) {
      const to = 1 - needed / total(group);
      if (!group.length || group.some((picture) => share(picture) * to < LEAST)) continue;
      const old = group.map(share);
      for (const picture of group) scale(picture, share(picture) * to);
      if (now() < before - 8) {
        report.shrunk++;
        return true;
      }
      group.forEach((picture, place) => scale(picture, old[place]));
    }

    // A figure lets text that follows it go first, up to the end of a sentence, unless a question goes with it;
    // one with a number may also go up itself, before the text that leads to it.
    const [home, sibling] = [block.parentElement, block.nextSibling];
    for (const [what, where, stops] of [
      ["moved", "after", own.length && !block.querySelector(".question") ? following(block) : []],
      ["raised", "before", block.matches("figure") ? leading(block) : []],
    ]) {
      let best = { left: before - 0.05 * depth };
      for (const stop of stops) {
        stop[where](block);
        const left = now();
        if (left < best.left) best = { left, stop };
        if (left < LOW * depth) break;
      }
      if (best.stop) {
        best.stop[where](block);
        report[what]++;
        return true;
      }
      home.insertBefore(block, sibling);
    }

    // The pictures of this page get larger.
    const old = others.map(share);
    const to = 1 + (before - 8) / total(others);
    for (const picture of others)
      scale(
        picture,
        share(picture) * Math.min(to, MOST / share(picture), width / picture.getBoundingClientRect().width),
      );
    const after = look(chapter);
    if (others.length && hole(after[at]) < before - 8 && after[at].length === pages[at].length) {
      report.grown++;
      return true;
    }
    others.forEach((picture, place) => scale(picture, old[place]));
    return false;
  }

  // A table of which little stands on this page goes to the next one, whole.
  function keepWhole(chapter, at) {
    const pages = look(chapter);
    const { block, height: piece } = pages[at]?.at(-1) ?? {};
    if (!block?.matches("table, .abh-shown, .pst-scrollable-table-container") || pages[at + 1]?.[0].block !== block)
      return;
    if (piece < 0.18 * depth && piece + pages[at + 1][0].height < 0.6 * depth) block.style.breakInside = "avoid";
  }

  // The outermost element that starts with this block.
  function outermost(block) {
    let node = block;
    while (!node.parentElement.matches(".chapter, .part") && node === node.parentElement.firstElementChild)
      node = node.parentElement;
    return node;
  }

  const places = [...document.querySelectorAll("[data-page]")].map((node) => node.dataset.page);
  // The first chapter comes behind the cover, the page after it, and the contents.
  let start = 3 + Math.ceil(tall(document.querySelector("#contents-pages")) / height);
  for (const chapter of document.querySelectorAll(".chapter")) {
    chapter.classList.add("fitting");
    const columns = chapter.matches(".small") ? 2 : 1;
    if (columns === 1)
      for (let at = 0, tries = 0; at < look(chapter).length - 1;) {
        if (!tries) keepWhole(chapter, at);
        if (tries++ === 3 || !mend(chapter, at)) [at, tries] = [at + 1, 0];
      }
    for (const place of places) {
      const node = document.getElementById(place);
      if (!node || !chapter.contains(node)) continue;
      const [rect] = [...node.getClientRects(), ...node.parentElement.getClientRects()];
      report.pages[place] = start + Math.floor(column(chapter, rect.left) / columns);
    }
    const pages = look(chapter);
    if (columns === 1)
      for (let at = 1; at < pages.length; at++) {
        const { block } = pages[at][0];
        if (!pages[at - 1].some((piece) => piece.block === block)) outermost(block).classList.add("new-page");
      }
    chapter.classList.remove("fitting");
    start += Math.ceil(pages.length / columns);
  }
  style.remove();
  return report;
};
