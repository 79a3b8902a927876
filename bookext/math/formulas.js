// Whoever copies text gets the TeX of its formulas.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection.rangeCount) return;
  const copied = document.createElement("div");
  copied.append(selection.getRangeAt(0).cloneContents());
  const formulas = [...copied.querySelectorAll("[data-tex]")];
  if (!formulas.length) return;
  event.preventDefault();
  event.clipboardData.setData("text/html", copied.innerHTML);
  for (const formula of formulas) {
    const tex = formula.matches("div") ? `$$${formula.dataset.tex}$$` : `$${formula.dataset.tex}$`;
    const [first, ...others] = formula.matches("math") ? [formula] : formula.querySelectorAll("math");
    for (const part of others) part.remove();
    first?.replaceWith(tex);
  }
  copied.style.cssText = "position: fixed; opacity: 0";
  document.body.append(copied); // only what is on the page has lines
  event.clipboardData.setData("text/plain", copied.innerText.replaceAll("\u200b", ""));
  copied.remove();
});
