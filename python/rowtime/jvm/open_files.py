"""How many files and connections Spark's JVM may have open at a time."""

from __future__ import annotations

import resource

from rowtime.errors import error

NEEDED = 512
"""What Spark needs for itself: one for each of its jars, and some for pumps."""


def most_open_files() -> int:
    """Returns the maximum number of open files. The JVM raises its own limit to the one that the user cannot raise."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if hard == resource.RLIM_INFINITY else hard


def check_open_files() -> None:
    """Raises RowtimeError RT0615 if Spark cannot run with the maximum number of open files."""
    if most_open_files() < NEEDED:
        raise error(
            "RT0615",
            f"Spark did not start: a process of this user may have {most_open_files()} open files",
            hint=f"Spark needs more than {NEEDED}: ulimit -n 4096, or in a service LimitNOFILE=4096",
        )
