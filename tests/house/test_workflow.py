"""The workflow runs what the book has: its Pythons, its commands, its schedules."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tools import commands
from tools.allowed import allowed
from tools.environment import scripts

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
FLOW = yaml.safe_load(TEXT)
JOBS = FLOW["jobs"]
CRONS = [entry["cron"] for entry in FLOW[True]["schedule"]]  # YAML 1.1 reads the key `on` as true


def runs(job):
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_every_python_that_the_book_takes():
    """The first job reads .python-versions, and all others take their Python from it; no other version is named."""
    (step,) = [step for step in JOBS["pythons"]["steps"] if step.get("id") == "read"]
    command = step["run"].partition(" >> ")[0].replace("python3", sys.executable)
    answer = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, check=True)
    told = dict(line.split("=", 1) for line in answer.stdout.splitlines())
    lines = (ROOT / ".python-versions").read_text(encoding="utf-8").splitlines()
    stated = sorted((line for line in lines if line[:1].isdigit()), key=lambda line: int(line.split(".")[1]))
    assert json.loads(told["all"]) == stated
    assert (told["oldest"], told["newest"]) == (stated[0], stated[-1])
    assert set(JOBS["pythons"]["outputs"]) == set(told)
    assert JOBS["test"]["strategy"]["matrix"]["python"] == "${{ fromJSON(needs.pythons.outputs.all) }}"
    for name, job in JOBS.items():
        wanted = [
            step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")
        ]
        if name == "package":
            assert wanted == ["3.x"]  # the newest that there is: the package has no highest
        elif wanted:
            assert wanted[0] in {
                "${{ matrix.python }}", "${{ needs.pythons.outputs.oldest }}", "${{ needs.pythons.outputs.newest }}",
            }  # fmt: skip
        if "needs.pythons" in yaml.safe_dump(job):
            assert "pythons" in job["needs"]


def test_the_package_alone_runs_on_the_newest_python():
    assert "pip install . hypothesis pytest" in runs("package")
    assert "python -m tools.installed" in runs("package")


def test_commands_exist():
    named = re.findall(r"(?:\bmake|-m tools) ([a-z]+)\b", TEXT)
    assert named
    assert set(named) <= set(commands.COMMANDS)


def test_schedules_are_those_that_the_jobs_ask_for():
    """A night's run and a week's; a job that asks for another time of day would never run, or always."""
    asked = set(re.findall(r"github\.event\.schedule [!=]= '([^']+)'", TEXT))
    assert len(CRONS) == 2
    assert asked < set(CRONS)
    (night,), (week,) = ([cron for cron in CRONS if (cron in asked) is nightly] for nightly in (True, False))
    assert night.split()[2:] == ["*", "*", "*"]
    assert week.split()[2:4] == ["*", "*"]
    assert week.split()[4].isdigit()
    assert f"github.event.schedule == '{night}'" in JOBS["everything"]["if"]
    for job in ("test", "versions", "elsewhere", "links"):
        assert f"github.event.schedule != '{night}'" in JOBS[job]["if"], job


def test_everything_is_asked_each_night():
    assert "make test ALL=1" in [step.get("run") for step in JOBS["everything"]["steps"]]
    assert "make test" in [step.get("run") for step in JOBS["test"]["steps"]]
    assert "\nmake test ENGINES=some\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_page_is_opened_in_every_engine():
    assert re.search(r"make test ENGINES=all\b.*tests/engines", runs("engines"))
    assert JOBS["engines"]["if"] == JOBS["everything"]["if"]  # each night
    assert "ENGINES=some" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def before(job):
    """The jobs that must have passed before this one starts."""
    needed = JOBS[job].get("needs", [])
    for name in [needed] if isinstance(needed, str) else needed:
        yield name
        yield from before(name)


@pytest.mark.parametrize(
    ("publisher", "what"), [("publish", "upload-pages-artifact"), ("notebooks", "name: notebooks")]
)
def test_no_draft_is_published(publisher, what):
    """What is published was uploaded by one job, behind `make pdf`, which refuses drafts (tools/drafts.py)."""
    uploads = [
        (name, place)
        for name, job in JOBS.items()
        for place, step in enumerate(job["steps"])
        if what in yaml.safe_dump(step) and "upload-" in step.get("uses", "")
    ]
    ((name, place),) = uploads
    steps = JOBS[name]["steps"]
    assert name in before(publisher)
    assert "make pdf" in [step.get("run") for step in steps[:place]]
    assert not [step for step in steps if {"if", "continue-on-error"} & set(step)]


def test_oldest_and_newest_versions():
    ways = {entry["uv"] for entry in JOBS["versions"]["strategy"]["matrix"]["include"]}
    assert ways == {"lowest-direct", "highest"}
    assert "tools.allowed numpy matplotlib" in runs("versions")


def test_only_the_publishing_jobs_may_write():
    assert FLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in JOBS.items() if "permissions" in job] == ["publish", "notebooks"]
    assert "pull_request_target" not in TEXT


@pytest.mark.parametrize(
    ("now", "then", "finds"),
    [
        ("", "", None),
        (r"(uses: actions/checkout)@\w{40} # v[\d.]+", r"\1@v6", "unpinned-uses"),
        (r"(uses: lycheeverse/[\w-]+)@\w{40}", r"\1@main", "unpinned-uses"),
        (r" +with:\n +persist-credentials: false\n", "", "artipacked"),
        (r"contents: read", "contents: write", "excessive-permissions"),
        (r"\$OPTIONS\b", "${{ github.head_ref }}", "template-injection"),
    ],
)
def test_lint_finds_what_could_be_abused(tmp_path, now, then, finds):
    path = tmp_path / ".github" / "workflows" / "book.yml"
    path.parent.mkdir(parents=True)
    text = re.sub(now, then, TEXT) if now else TEXT
    assert (text == TEXT) is (finds is None)
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [scripts() / "zizmor", *commands.STRICT, tmp_path], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode == 0) is (finds is None), done.stdout + done.stderr
    assert finds is None or f"title={finds}::" in done.stdout


def test_an_action_names_the_version_of_its_hash():
    """So that a reader, and a program that brings newer ones, can tell which it is."""
    used = re.findall(r"uses: (.+)", TEXT)
    assert len(used) > 15
    assert [
        line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)
    ] == []
    hashes = {(line.split("@")[0], line.split("@")[1]) for line in used}
    assert len(hashes) == len({name for name, _ in hashes}), "one version of each"


def test_allowed_reads_pyproject(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=2.0"]\noptional-dependencies.plots = ["matplotlib>=3.9,<4"]\n'
    )
    assert allowed(["matplotlib", "numpy"], tmp_path) == ["matplotlib>=3.9,<4", "numpy>=2.0"]
    with pytest.raises(SystemExit, match=r"asks for no scipy; it asks for matplotlib, numpy"):
        allowed(["scipy"], tmp_path)
