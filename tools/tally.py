"""`make tally FILES="ada.json bo.json"`: who passed what, from the files that a class handed in.

The files are those of ``attn.check.results`` and of the page *Practice*, which have one form. Two files with the same
name in them are one student's; of an exercise that both have, the later try counts. A file without a name is a student
of its own, called as the file is, with its folder where two are called alike. What is no such file is told and left
out, and then the command ends with 1.
"""

import argparse
import csv
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path


def gathered(paths):
    """(student -> exercise -> entry, complaints), from files; students in the order of their names."""
    from attn.check import results

    files, students, complaints = {}, {}, []
    for path in map(Path, paths):
        try:
            files[path] = results.read(path)
        except (OSError, ValueError) as error:
            complaints.append(str(error))
    nameless = Counter(path.name for path, found in files.items() if found["name"] is None)
    for path, found in files.items():
        alone = nameless[path.name] == 1
        student = found["name"] or (path.name if alone else str(path))
        entries = students.setdefault(student, {})
        for entry in found["exercises"]:
            before = entries.get(entry["exercise"])
            if before is None or time_of(before) <= time_of(entry):
                entries[entry["exercise"]] = entry
    return dict(sorted(students.items(), key=lambda pair: pair[0].casefold())), complaints


def time_of(entry):
    return datetime.fromisoformat(entry["checked"])


def exercises_of(students):
    """The names of all exercises that anybody tried, in the order of the alphabet."""
    return sorted({name for entries in students.values() for name in entries})


def table(head, rows):
    """Lines of a table; numbers stand at the right of their columns."""
    texts = [[str(cell) for cell in row] for row in [head, *rows]]
    first, *widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for name, *others in texts:
        cells = [cell.rjust(width) for cell, width in zip(others, widths, strict=True)]
        yield "  ".join([name.ljust(first), *cells]).rstrip()


def counts(entries):
    """How many of these have passed, how many there are, and how many tries they took."""
    return sum(entry["passed"] for entry in entries), len(entries), sum(entry["tries"] for entry in entries)


def by_student(students):
    """(name, passed, tried, tries) of each student."""
    return [(name, *counts(entries.values())) for name, entries in students.items()]


def by_exercise(students):
    """(name, passed by, tried by, tries) of each exercise."""
    return [
        (name, *counts([entries[name] for entries in students.values() if name in entries]))
        for name in exercises_of(students)
    ]


def plain(text):
    """A text for a spreadsheet, which takes one that begins so for a formula and would run it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


def write_csv(path, students):
    """A row a student, a column an exercise: passed, tried, or nothing."""
    names = exercises_of(students)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "passed", "tried", "tries", *map(plain, names)])
        for student, *counts in by_student(students):
            entries = students[student]
            said = [
                "" if name not in entries else "passed" if entries[name]["passed"] else "tried"
                for name in names
            ]
            writer.writerow([plain(student), *counts, *said])


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tally", description=__doc__.split("\n\n")[0])
    parser.add_argument("--csv", metavar="PATH", help="write a table for a spreadsheet, too")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    if not options.files:
        print('Which files? make tally FILES="ada.json bo.json"', file=sys.stderr)
        return 2
    students, complaints = gathered(options.files)
    if students:
        print("\n".join(table(("student", "passed", "tried", "tries"), by_student(students))), end="\n\n")
        print("\n".join(table(("exercise", "passed by", "tried by", "tries"), by_exercise(students))))
        if options.csv:
            write_csv(options.csv, students)
            print(f"\nWritten: {options.csv}")
    for complaint in complaints:
        print(f"Left out: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
