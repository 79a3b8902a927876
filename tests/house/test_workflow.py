"""The workflow runs what the book has: its commands, its schedules."""

import re
from pathlib import Path

import pytest
import yaml

from tools import commands

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
FLOW = yaml.safe_load(TEXT)
JOBS = FLOW["jobs"]
CRONS = [entry["cron"] for entry in FLOW[True]["schedule"]]  # YAML 1.1 reads the key `on` as true


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


def before(job):
    """The jobs that must have passed before this one starts."""
    needed = JOBS[job].get("needs", [])
    for name in [needed] if isinstance(needed, str) else needed:
        yield name
        yield from before(name)


@pytest.mark.parametrize(
    ("publisher", "what"), [("publish", "upload-pages-artifact"), ("notebooks", "name: notebooks")]
)
def test_what_is_published_was_printed(publisher, what):
    """What is published was uploaded by one job, behind `make pdf`, which tests what it printed."""
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


def test_only_the_publishing_jobs_may_write():
    assert FLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in JOBS.items() if "permissions" in job] == ["publish", "notebooks"]
    assert "pull_request_target" not in TEXT
