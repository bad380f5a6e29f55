"""Answers about tables to Spark's JVM, which asks for the reason if it gets none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rowtime.runtime.faults import query_fault

_T = TypeVar("_T")


class TableAnswers:
    """The part that is common to io.rowtime.lookup.SnapshotProvider and io.rowtime.log.TableCommits."""

    _failure = ""

    def failure(self) -> str:
        """Returns why the last call returned nothing."""
        return self._failure

    def result_of(self, call: Callable[[], _T]) -> _T | None:
        """Returns the result of a call; None if it raises. py4j would print the exception, and pass on a traceback."""
        try:
            return call()
        except Exception as fault:
            found = query_fault(fault, "Reading a table").diagnostics[0]
            self._failure = f"{found.code} {found.message}"
            return None
