"""Sessions of their own for relational queries.

Such a query needs its settings while it is translated, planned and run. In a copy of the user's session it has them for
itself: it does not wait for other queries, and they do not wait for it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class, java_map

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS_CLASS = "io.rowtime.spark.SessionSettings"
_POOL = "spark.scheduler.pool"
_KEPT = 32
"""The number of copies that are kept for later queries. A copy takes some milliseconds and memory in the JVM."""


class QuerySessions:
    """Copies of a session, each for one query at a time. A copy has the catalog, the functions and the cached tables of
    the original, and its settings at the beginning of the query, with those of the query in addition."""

    def __init__(self, original: SparkSession, settings: Mapping[str, str]) -> None:
        self._original = original
        self._java = java_class(original, SETTINGS_CLASS)
        self._settings = java_map(original, settings)
        self._free: list[tuple[SparkSession, str]] = []
        self._numbers = count()
        self._guard = threading.Lock()

    @contextlib.contextmanager
    def session(self) -> Iterator[SparkSession]:
        """Gives a session to the block. The block's jobs have a scheduler pool of their own: in a session that rowtime
        has started, they share the cores with other queries, and do not come before them."""
        with self._guard:
            found, pool = self._free.pop() if self._free else (None, f"rowtime-{next(self._numbers) % _KEPT}")
        if found is None:
            found = copied(self._original)
        self._java.refresh(found._jsparkSession, self._original._jsparkSession, self._settings)
        context = found.sparkContext
        before = context.getLocalProperty(_POOL)
        context.setLocalProperty(_POOL, pool)
        try:
            yield found
        finally:
            context.setLocalProperty(_POOL, before)  # type: ignore[arg-type]
            with self._guard:
                if len(self._free) < _KEPT:
                    self._free.append((found, pool))


def copied(original: SparkSession) -> SparkSession:
    """Returns a copy of a session: the same catalog, functions and cached tables, with settings of its own."""
    from pyspark import RDD
    from pyspark.sql import SparkSession

    # PySpark lets RDD.toDF use the session that was made last, which would be this one.
    rdds: Any = RDD
    method = rdds.toDF
    made = SparkSession(original.sparkContext, java_class(original, SETTINGS_CLASS).copy(original._jsparkSession))
    rdds.toDF = method
    return made


@contextlib.contextmanager
def active(session: SparkSession) -> Iterator[None]:
    """Makes a session the active one of this thread inside the block. Spark takes some things from the active session,
    and not from the one that reads or writes: sources in Python, and, while it makes a DataFrame, settings such as
    whether there are TIME values."""
    java: Any = java_class(session, "org.apache.spark.sql.classic.SparkSession")
    before = java.getActiveSession()
    java.setActiveSession(session._jsparkSession)
    try:
        yield
    finally:
        if before.isDefined():
            java.setActiveSession(before.get())
        else:
            java.clearActiveSession()
