// Mutants of JavaScript modules, by Stryker's instrumenter: their names as arguments, a list as JSON on the way out.
// It runs beside node_modules, in _build/mutate/javascript.

import { readFileSync } from "node:fs";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { createInjector } from "typed-inject";

const log = {};
for (const level of ["trace", "debug", "info", "warn", "error", "fatal"]) {
  log[level] = () => {};
  log[`is${level[0].toUpperCase()}${level.slice(1)}Enabled`] = () => false;
}
const files = process.argv.slice(2).map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
const instrumenter = createInjector().provideValue("logger", log).injectFunction(createInstrumenter);
const options = { plugins: null, excludedMutations: [], ignorers: [], mutator: {} };
const { mutants } = await instrumenter.instrument(files, options);
process.stdout.write(JSON.stringify(mutants));
