// The book in JupyterLab: its type; a copy that nobody has opened yet runs when it is opened; solutions stay folded
// when all cells run. JupyterLab asks for an extension in the form that webpack writes; these few lines are written by
// hand.
(() => {
  const here = document.currentScript.src;

  /** Run all cells of a fresh copy, once: it says in its metadata that it is one. */
  const runFresh = async (app, panel) => {
    const fresh = () => panel.content?.model?.getMetadata?.("attention_by_hand")?.fresh;
    await panel?.context?.ready;
    if (!fresh()) return;
    await panel.sessionContext.ready;
    if (!fresh() || app.shell.currentWidget !== panel) return; // its turn comes when it is looked at
    panel.content.model.deleteMetadata("attention_by_hand");
    const done = app.commands.execute("notebook:run-all-cells");
    panel.content.activeCellIndex = 0;
    // Running all leads to the last cell.
    panel.content.scrollToItem(0, "start").catch(() => {});
    await done;
  };

  /** Running a cell shows what it gives: fold it again where it belongs to a solution. */
  const foldSolutions = (panel) => {
    for (const cell of panel?.content?.widgets ?? []) {
      if (cell.model.getMetadata("tags")?.includes("solution")) cell.outputHidden = true;
    }
  };

  const plugin = {
    id: "attention-by-hand:plugin",
    autoStart: true,
    activate(app) {
      for (const name of ["type.css", "lab.css"]) {
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.href = new URL(name, here).href;
        document.head.append(link);
      }
      app.shell.currentChanged.connect((_, { newValue }) => runFresh(app, newValue));
      app.commands.commandExecuted.connect(async (_, { id, result }) => {
        if (!/^notebook:(run-all|restart-run-all|restart-and-run)/.test(id)) return;
        const panel = app.shell.currentWidget;
        await result;
        foldSolutions(panel);
      });
    },
  };

  globalThis._JUPYTERLAB ??= {};
  globalThis._JUPYTERLAB["attention-by-hand"] = {
    init: () => undefined,
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
