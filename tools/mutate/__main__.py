"""``make mutate``: draw mutants, show them to the tests, and say what share is caught, by area."""

import argparse
import datetime
import itertools
import json
import os
import queue
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import ledger
from bookext.claims import wilson
from tools.environment import ROOT, python
from tools.mutate import areas
from tools.mutate.mutant import shown
from tools.mutate.runner import PLACE, Runner

STORED = ledger.MUTANTS
MAP = PLACE / "map.json"


def without(mutants, rows):
    """The mutants that are not named as equivalent, and the rows that name none of them."""
    named = {(row["file"], row["was"], row["becomes"]) for row in rows}
    met = {(mutant.file, mutant.was, mutant.becomes) for mutant in mutants}
    kept = [mutant for mutant in mutants if (mutant.file, mutant.was, mutant.becomes) not in named]
    return kept, [row for row in rows if (row["file"], row["was"], row["becomes"]) not in met]


def sample(mutants, count, seed):
    """A fair draw; the same for the same seed and text."""
    mutants = sorted(mutants, key=lambda mutant: (mutant.file, mutant.cell, mutant.edits))
    random.Random(seed).shuffle(mutants)
    return list(itertools.islice(filter(areas.makes_sense, mutants), count))


def record(tests):
    """Which tests run which lines: recorded anew, unless the map of the last time is to be kept."""
    MAP.parent.mkdir(parents=True, exist_ok=True)
    left_out = [f"--ignore={file}" for file in areas.UNMAPPED]
    settings = {**os.environ, "ATTN_MUTATE_MAP": str(MAP), "OPENBLAS_NUM_THREADS": "1"}
    command = [
        python(),
        "-m",
        "pytest",
        "-p",
        "tools.mutate.record",
        "-p",
        "no:cacheprovider",
        "-q",
        *left_out,
    ]
    print("Recording which tests run which lines …", flush=True)
    answer = subprocess.run([*command, *tests], cwd=ROOT, env=settings, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        failed = [line for line in answer.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        raise SystemExit(
            "\n".join(["These tests fail without a mutant:", *(failed or [answer.stdout[-2000:]])])
        )


def tree():
    """Which state of the book this is, by git's name for its last commit."""
    answer = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    return answer.stdout.strip()


def measure(area, options, known):
    """The result of one area, as it is stored."""
    if sentence := areas.install(area):
        raise SystemExit(sentence)
    rows = [
        row for row in ledger.equivalents() if row["area"] == area and re.search(options.only, row["file"])
    ]
    mutants, stale = without(areas.mutants(area, options.only), rows)
    for row in stale:
        print(
            f"stale: no mutant turns «{row['was']}» of {row['file']} into «{row['becomes']}»", file=sys.stderr
        )
    drawn = sample(mutants, options.sample, f"{options.seed} {area}")
    runners = queue.SimpleQueue()
    everyone = [Runner(area, number) for number in range(options.workers)]
    for runner in everyone:
        runners.put(runner)

    def show(mutant):
        runner = runners.get()
        try:
            return mutant, *runner.show(mutant, known)
        finally:
            runners.put(runner)

    results = []
    with ThreadPoolExecutor(options.workers) as pool:
        for mutant, seen_by, broken in pool.map(show, drawn):
            results.append((mutant, seen_by))
            place = f"{mutant.file}{' ' + mutant.cell if mutant.cell else ''}:{mutant.line}"
            print(f"{'caught  ' if seen_by else 'SURVIVED'} {place} ({mutant.kind}) {shown(mutant)}")
            print(
                f"         {seen_by}" if seen_by else "",
                *(f"fails without a mutant: {name}" for name in broken),
            )
            sys.stdout.flush()
    for runner in everyone:
        runner.close()
    survivors = [mutant for mutant, seen_by in results if not seen_by]
    return {
        "area": area,
        "files": len({mutant.file for mutant in mutants}),
        "files_of_area": len(areas.files(area)),
        "mutants": len(mutants),
        "shown": len(drawn),
        "caught": len(drawn) - len(survivors),
        "seed": options.seed,
        "date": datetime.date.today().isoformat(),
        "tree": tree(),
        "survivors": [
            {"file": one.file, "line": one.line, "kind": one.kind, "change": shown(one)} for one in survivors
        ],
    }, stale


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__)
    parser.add_argument("areas", nargs="*", help=f"of {', '.join(areas.AREAS)}; all if none is named")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each area")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="of files alone whose path this pattern finds")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument(
        "--tests", nargs="*", default=areas.MAPPED, help="what is recorded for the map of lines"
    )
    parser.add_argument("--keep-map", action="store_true", help="the map of the last time is good enough")
    parser.add_argument(
        "--store", action="store_true", help=f"write {STORED.relative_to(ROOT)}, for How we know"
    )
    options = parser.parse_args(arguments)
    os.environ["ATTN_ALL"] = "1"  # a mutant is shown to further tests, too
    chosen = options.areas or list(areas.AREAS)
    if unknown := set(chosen) - set(areas.AREAS):
        parser.error(f"no such area: {', '.join(sorted(unknown))}")
    known = {}
    if {"mathematics", "figures"} & set(chosen):
        if not (options.keep_map and MAP.exists()):
            record(options.tests)
        known = json.loads(MAP.read_text(encoding="utf-8"))
    stale, lines, found = [], [], {}
    for area in chosen:
        result, old = measure(area, options, known)
        stale += old
        caught, count = result["caught"], max(1, result["shown"])
        low, high = wilson(caught, count)
        share = f"{caught / count:.0%} ({low:.0%} to {high:.0%})"
        lines.append(f"{area:12} {caught:4} of {count:4} caught, {share}; there are {result['mutants']}")
        print(lines[-1], flush=True)
        found[area] = result
    print("\n" + "\n".join(lines))
    if options.store:
        stored = {row["area"]: row for row in ledger.mutants()} | found
        ordered = [stored[area] for area in areas.AREAS if area in stored]
        STORED.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
