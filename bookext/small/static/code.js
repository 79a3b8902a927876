// Colors the code that is near: stretches of text that `data-runs` names (a letter and a length each), not elements.
if (CSS.highlights) {
  const color = (pre) => {
    const text = pre.firstChild;
    let place = 0;
    for (const [, name, length] of pre.dataset.runs.matchAll(/([a-z_])(\d+)/g)) {
      const end = place + Number(length);
      if (name !== "_") {
        const key = `abh-${name}`;
        if (!CSS.highlights.has(key)) CSS.highlights.set(key, new Highlight());
        CSS.highlights
          .get(key)
          .add(new StaticRange({ startContainer: text, startOffset: place, endContainer: text, endOffset: end }));
      }
      place = end;
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
