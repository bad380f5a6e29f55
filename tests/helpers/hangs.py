"""What a test that hangs is doing: the stacks of its process and of its Spark, in a file that outlives the worker.

pytest-timeout ends the process of a test that takes too long. Under pytest-xdist its output is lost, and faulthandler
prints the first hundred threads, of which nearly all serve Py4J and none is the main one.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[2] / "build" / "hangs"
# Threads of Java that do something for a query; pools that wait for work are left out.
_AT_WORK = re.compile(r"io\.rowtime|spark\.sql|io\.delta|py4j\.Gateway\.invoke|BLOCKED|ShutdownHook")

_OF_TESTS = re.compile(r"/site-packages/(_pytest|pluggy|xdist|execnet)/")


@contextmanager
def report_after(seconds: float, test: str) -> Iterator[None]:
    """Writes what the process does to the file of `test` when the block takes longer than `seconds`."""
    timer = threading.Timer(seconds, lambda: _write(test))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def report_of(test: str) -> str | None:
    """What the test was doing when it hung; None if it did not hang in this run. Removes the file."""
    file = _file(test)
    if not file.exists():
        return None
    text = file.read_text()
    file.unlink()
    return text


def _file(test: str) -> Path:
    return _FOLDER / f"{hashlib.sha256(test.encode()).hexdigest()[:16]}.txt"


def _write(test: str) -> None:
    """The main thread comes last: a log is read from its end."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    file = _file(test)
    parts = [f"{test} hung.", *_python_stacks()]
    # First without Java, whose tools may hang as well.
    file.write_text("\n\n".join(parts))
    file.write_text("\n\n".join([parts[0], *_java_stacks(), *parts[1:]]))


def _python_stacks() -> Iterator[str]:
    main = threading.main_thread()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    frames = sys._current_frames()
    own = threading.get_ident()
    for ident in sorted(frames, key=lambda ident: ident == main.ident):
        stack = [frame for frame in traceback.format_stack(frames[ident]) if not _OF_TESTS.search(frame)]
        if ident != own and not any("wait_for_commands" in frame for frame in stack):
            yield f"Thread {names.get(ident, ident)}\n{''.join(stack[-40:])}"


def _java_stacks() -> Iterator[str]:
    """Of this process's Spark, from `jcmd` of the JDK that builds the planner."""
    context = sys.modules.get("pyspark.core.context")
    gateway = context.SparkContext._gateway if context is not None else None
    process = getattr(gateway, "proc", None)
    command = shutil.which("jcmd")
    if process is None or command is None:
        return
    try:
        run = subprocess.run(
            [command, str(process.pid), "Thread.print"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        yield f"Java: {fault}"
        return
    for thread in run.stdout.split("\n\n"):
        if _AT_WORK.search(thread):
            yield "\n".join(thread.splitlines()[:30])
