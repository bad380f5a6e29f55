"""Starts the planner while Python still imports the parser of the command line, which saves a quarter of a second.

The JVM's own start holds Python's interpreter lock, but the first plan, which loads most classes, runs in parallel.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Sequence

PLANNING = ("validate", "explain")
_HELP = ("-h", "--help")
_NAME = "rowtime-warmup"
_CATALOG = '{"version":0,"objects":[],"lateness":[]}'
_REQUEST = '{"sql":"SELECT a, COUNT(*) FROM (VALUES (1)) AS t (a) GROUP BY a","line":1,"column":1}'


def begin(arguments: Sequence[str]) -> None:
    """Starts the planner in the background, for a command line that is going to plan something."""
    if not arguments or any(word in _HELP for word in arguments):
        return
    if arguments[0] in PLANNING or (arguments[0] == "shell" and sys.stdin.isatty()):
        threading.Thread(target=_plan_something, name=_NAME, daemon=True).start()


def is_starting() -> bool:
    """Returns whether the planner is still being started in the background."""
    return any(thread.name == _NAME for thread in threading.enumerate())


def _plan_something() -> None:
    # An error here occurs again where the planner is needed, and is reported there.
    with contextlib.suppress(Exception):
        from rowtime.jvm.jpype import planner

        planner().plan(_CATALOG, _REQUEST)
