"""Checks what executors of a cluster run, and what time they have, before a query relies on them.

A Python function computes something else in another version of Python or rowtime, and a clock that is wrong moves
timeouts, idle streams and the times of rows. Both would show in the rows, and nowhere else. The jars of rowtime need no
check: executors get them from the driver.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rowtime.errors import RowtimeError, error
from rowtime.jvm.py4j import java_class, java_list
from rowtime.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CLASS = "io.rowtime.files.ExecutorReports"

TOLERANCE = 1_000
"""Milliseconds by which the clock of an executor may differ from that of the driver."""
_MISMATCH = re.compile(r"PYTHON_VERSION_MISMATCH|Python in worker has different version")
_WORKER = re.compile(r"different version:? '?(\d+\.\d+)")


class ClockReading(NamedTuple):
    """The time of an executor, and those of the driver before and after it was read, in ms since 1970."""

    executor: str
    host: str
    read: int
    before: int
    after: int

    @property
    def difference(self) -> int:
        """The least by which the clock differs from the driver's, in ms: how far it was ahead, negative if behind."""
        return max(self.read - self.after, 0) or min(self.read - self.before, 0)


class Installed(NamedTuple):
    """What an executor has installed. `rowtime` is None if it has no rowtime, which only Python functions need."""

    executor: str
    host: str
    python: str
    rowtime: str | None


def check_executors(spark: SparkSession, executors: Sequence[str]) -> None:
    """Raises RowtimeError RT0653 if one of the executors (their ids) runs another version of Python or rowtime than
    this process, and RT0654 if its clock differs by more than a second. Runs two jobs."""
    ids = java_list(spark, list(executors))
    session = spark._jsparkSession
    reports = java_class(spark, _CLASS)
    try:
        clocks = [[str(value) for value in row] for row in reports.clocks(session, ids)]
    except Exception as fault:
        from rowtime.runtime.faults import query_fault

        reason = query_fault(fault, "The check").diagnostics[0].message
        raise error("RT0654", f"Cannot determine what time the executors have: {reason}") from fault
    check_clocks(ClockReading(row[0], row[1], int(row[2]), int(row[3]), int(row[4])) for row in clocks)
    from pyspark import RDD
    from pyspark.serializers import UTF8Deserializer

    context = spark.sparkContext
    # Untyped in PySpark.
    strings: Any = UTF8Deserializer
    described: RDD[str] = RDD(reports.described(session, ids), context, strings())
    try:
        found = described.map(_installed()).collect()
    except Exception as fault:
        other = _other_python(str(fault))
        if other is not None:
            raise other from fault
        # No Python there, and queries without Python functions need none.
        return
    check_installed(Installed(*row) for row in found)


def check_clocks(readings: Iterable[ClockReading]) -> None:
    """Raises RowtimeError RT0654 for clocks that differ by more than the tolerance."""
    faults = [
        f"that of executor {one.executor} on {one.host} is at least {abs(one.difference) / 1000:.1f} seconds "
        f"{'ahead' if one.difference > 0 else 'behind'}"
        for one in readings
        if abs(one.difference) > TOLERANCE
    ]
    if faults:
        raise error(
            "RT0654",
            f"The clocks of executors differ from the driver's by more than a second: {'; '.join(faults)}",
            hint="Synchronise the clocks of all hosts, for example with chrony, and try again",
        )


def check_installed(executors: Iterable[Installed]) -> None:
    """Raises RowtimeError RT0653 for other versions than those of this process."""
    here = ".".join(platform.python_version_tuple()[:2])
    faults = []
    for one in executors:
        if one.python != here:
            faults.append(_runs(one.executor, one.host, f"Python {one.python}, and the driver {here}"))
        if one.rowtime not in (None, __version__):
            faults.append(_runs(one.executor, one.host, f"rowtime {one.rowtime}, and the driver {__version__}"))
    if faults:
        raise _other_versions(faults)


def _installed() -> Callable[[str], tuple[str, str, str, str | None]]:
    # A function within a function travels to the executors as code: they may have no rowtime to import it from.
    def installed(report: str) -> tuple[str, str, str, str | None]:
        import contextlib
        import sys

        version: str | None = None
        with contextlib.suppress(ImportError):
            from rowtime.version import __version__ as version
        executor, host = report.split("\t")
        major, minor = sys.version_info[:2]
        return executor, host, f"{major}.{minor}", version

    return installed


def _other_python(message: str) -> RowtimeError | None:
    """Returns the error for a task that Spark has ended because of its version of Python; None if it was not that. The
    message is the whole one, with the traceback of the task."""
    if not _MISMATCH.search(message):
        return None
    worker = _WORKER.search(message)
    version = worker[1] if worker else "another version"
    here = ".".join(platform.python_version_tuple()[:2])
    # PySpark does not say which executor it was.
    return _other_versions([f"an executor runs Python {version}, and the driver {here}"])


def _runs(executor: str, host: str, what: str) -> str:
    return f"executor {executor} on {host} runs {what}"


def _other_versions(faults: list[str]) -> RowtimeError:
    return error(
        "RT0653",
        f"Executors run other versions than the driver: {'; '.join(faults)}",
        hint="Install the same versions on all hosts, or set spark.pyspark.python to a Python that all have",
    )
