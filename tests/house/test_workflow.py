"""The workflow runs what the book has: its Pythons, its commands, its schedules, all planted bugs."""

import re
from pathlib import Path

import pytest
import yaml

from tools import commands
from tools.allowed import allowed

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
FLOW = yaml.safe_load(TEXT)
JOBS = FLOW["jobs"]
CRONS = [entry["cron"] for entry in FLOW[True]["schedule"]]  # YAML 1.1 reads the key `on` as true


def runs(job):
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_every_python_that_pyproject_allows():
    low, high = re.search(
        r'requires-python = ">=3\.(\d+),<3\.(\d+)"', (ROOT / "pyproject.toml").read_text()
    ).groups()
    pythons = [f"3.{minor}" for minor in range(int(low), int(high))]
    assert JOBS["test"]["strategy"]["matrix"]["python"] == pythons


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
    assert f"github.event.schedule == '{night}'" in JOBS["bugs"]["if"]
    for job in ("test", "versions", "elsewhere", "links"):
        assert f"github.event.schedule != '{night}'" in JOBS[job]["if"], job


def test_all_bugs_are_planted():
    (step,) = [step for step in JOBS["bugs"]["steps"] if "tests/planted" in step.get("run", "")]
    assert step["env"]["ATTN_ALL_BUGS"]


def test_every_page_is_opened_in_every_engine():
    assert re.search(r"make test ENGINES=all\b.*tests/engines", runs("engines"))
    assert JOBS["engines"]["if"] == JOBS["bugs"]["if"]  # each night
    assert "make test ENGINES=some" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_new_chapter_goes_the_whole_way():
    (step,) = [step for step in JOBS["bugs"]["steps"] if "test_chapter.py" in step.get("run", "")]
    assert step["env"]["ATTN_ALL_BUGS"]


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


def test_allowed_reads_pyproject(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=2.0"]\noptional-dependencies.plots = ["matplotlib>=3.9,<4"]\n'
    )
    assert allowed(["matplotlib", "numpy"], tmp_path) == ["matplotlib>=3.9,<4", "numpy>=2.0"]
    with pytest.raises(SystemExit, match=r"asks for no scipy; it asks for matplotlib, numpy"):
        allowed(["scipy"], tmp_path)
