"""Python in the page in Firefox and in WebKit: a cell runs, and what an exercise is told stands below it."""

PAGE = "chapters/03_masking.html"
PRESS = """(word) => {
  const bars = [...document.querySelectorAll(".abh-run")];
  const bar = bars.find((one) => one.parentElement.textContent.includes(word));
  for (let part = bar; part; part = part.parentElement) if (part.localName === "details") part.open = true;
  bar.querySelector("button").click();
  return bar.dataset.cell;
}"""
SAYS = "(cell) => document.querySelector(`.abh-cell-${cell} .abh-ran`)?.innerText ?? ''"
STANDS = f"(cell) => /^(Ran here|Python ended|A cell before)/.test(({SAYS})(cell))"


def press(tab, word):
    cell = tab.evaluate(PRESS, word)
    for _ in range(3):  # Python starts, and a machine may be busy
        try:
            tab.wait_for_function(STANDS, cell)
            break
        except TimeoutError:
            continue
    return tab.evaluate(SAYS, cell)


def test_a_cell_runs_and_an_exercise_is_checked(visit):
    tab = visit(PAGE)
    assert "0.42" in press(tab, "masked = np.where(sees, scores, -np.inf)\nweights")
    assert "not solved yet" in press(tab, "check.inputs_and_targets(")
    assert "move together" in press(tab, "lab = Masking(opened=True)")
