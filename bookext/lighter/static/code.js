// Colors the code that is near: stretches of text that `data-runs` names (a letter and a length each), not elements.
if (CSS.highlights) {
  const color = (pre) => {
    const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT); // a long line is an element (bookext/lines.py)
    let text = texts.nextNode();
    let place = 0;
    for (const [, name, length] of pre.dataset.runs.matchAll(/([a-z_])(\d+)/g)) {
      let left = Number(length);
      while (left && text) {
        const end = Math.min(place + left, text.length);
        if (name !== "_" && end > place) {
          const key = `abh-${name}`;
          if (!CSS.highlights.has(key)) CSS.highlights.set(key, new Highlight());
          CSS.highlights
            .get(key)
            .add(new StaticRange({ startContainer: text, startOffset: place, endContainer: text, endOffset: end }));
        }
        left -= end - place;
        place = end;
        if (place === text.length) {
          text = texts.nextNode();
          place = 0;
        }
      }
    }
    near.unobserve(pre);
    waiting.delete(pre);
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting && waiting.has(target)) color(target);
    },
    { rootMargin: "100% 0px" },
  );
  const waiting = new Set(document.querySelectorAll("pre[data-runs]"));
  for (const pre of waiting) near.observe(pre);
  addEventListener("beforeprint", () => waiting.forEach(color));
}
