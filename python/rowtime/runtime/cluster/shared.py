"""Checks that the executors of a cluster share a disk with the driver, and run the same versions.

Tasks of streaming queries write files to the warehouse, and read files of other tasks and of this process. An executor
that sees another disk under the same path would lose them without a message.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError, error
from rowtime.jvm.py4j import java_class, java_list
from rowtime.runtime.cluster.executors import check_executors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHARED_CLASS = "io.rowtime.files.SharedFolder"


class SharedFolders:
    """Checks folders from the executors of one session, once per executor and folder. A session whose tasks run in its
    own process needs no check. May be used from several threads."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._needed = not is_one_process(spark)
        self._known: dict[Path, set[str]] = {}
        self._checked: set[str] = set()
        """Executors of which versions and clocks were checked."""
        self._guard = threading.Lock()

    def check(self, folder: Path, what: str) -> int:
        """Raises RowtimeError RT0626 if an executor does not share the folder with the driver; `what` describes the
        folder. Raises RT0653 or RT0654 if an executor runs other versions, or has another time. Returns how many
        executors share the folder; 0 if none needs to.

        Call it before a query starts, and before each micro-batch: executors come and go. It runs a job if there are
        new ones.
        """
        if not self._needed:
            return 0
        folder = folder.absolute()
        with self._guard:
            known = self._known.setdefault(folder, set())
            shared = java_class(self._spark, SHARED_CLASS)
            if not known or not known.issuperset(shared.executors()):
                try:
                    good, faults = shared.check(
                        self._spark._jsparkSession, str(folder), java_list(self._spark, sorted(known))
                    )
                except Exception as fault:
                    raise _not_checked(folder, what, fault) from fault
                if len(faults):
                    raise _not_shared(folder, what, list(faults))
                good = [str(executor) for executor in good]
                unchecked = [executor for executor in good if executor not in self._checked]
                if unchecked:
                    check_executors(self._spark, unchecked)
                    self._checked.update(unchecked)
                known.update(good)
            return len(known)


def is_one_process(spark: SparkSession) -> bool:
    """Returns whether the tasks of a session run in its own process."""
    master = spark.sparkContext.master or ""
    return master == "local" or master.startswith("local[")


def _not_shared(folder: Path, what: str, faults: list[str]) -> RowtimeError:
    return error(
        "RT0626",
        f"The executors do not share {what} '{folder}' with the driver: {'; '.join(faults)}",
        hint="Put it on a disk that all hosts mount at this path, or run with a local master",
    )


def _not_checked(folder: Path, what: str, fault: Exception) -> RowtimeError:
    from rowtime.runtime.faults import query_fault

    reason = query_fault(fault, "The check").diagnostics[0].message
    return error("RT0626", f"Cannot determine whether the executors share {what} '{folder}': {reason}")
