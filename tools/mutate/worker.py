"""Runs tests on a copy of the book, a fresh process for each run, with what is slow to import imported once.

It reads lines of JSON, {"run": pytest's arguments, "seconds": processor time that a run may take, "variables": {…}},
and answers each with {"code": pytest's exit code, or null for a run that did not end, "said": what it printed}.
It imports nothing of the book itself: each run does, and so sees what was changed.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import traceback

WARM = ["numpy", "hypothesis", "pytest"]  # and what the command line names


def child(order, out):
    os.setpgrp()
    os.dup2(out.fileno(), 1)
    os.dup2(out.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (order["seconds"], order["seconds"] + 5))
    os.environ.update(order["variables"])
    try:
        import pytest

        code = int(pytest.main(order["run"]))
    except BaseException:
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    os._exit(code)


def answer(order):
    with tempfile.TemporaryFile() as out:
        number = os.fork()
        if not number:
            child(order, out)
        _, status = os.waitpid(number, 0)
        try:
            os.killpg(number, signal.SIGKILL)  # a browser or a kernel that a run left behind
        except (ProcessLookupError, PermissionError):
            pass
        out.seek(0)
        said = out.read().decode("utf-8", "replace")
    return {"code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None, "said": said[-4000:]}


def main():
    for name in WARM + sys.argv[1:]:
        __import__(name)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
