"""How a query waits for a system that does not answer."""

from __future__ import annotations

import time

from rowtime.errors import RowtimeError

NO_ANSWER, NO_CONNECTION = "RT0549", "RT0544"
FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0
"""Seconds until a failed query is restarted: doubled with each failure in a row."""


class Outage:
    """The failures in a row of one query, which is abandoned after `longest` seconds. `due` is the time of the next
    restart, by `time.monotonic()`."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._since: float | None = None
        self._failures = 0
        self._noted: object = None
        self.due = 0.0

    @property
    def lasts(self) -> bool:
        """Whether the query has failed, and has not run again since."""
        return self._failures > 0

    def waits(self, run: object, fault: RowtimeError) -> bool:
        """Returns whether a query whose `run` ended with that fault is to be restarted. May be called repeatedly."""
        if fault.code != NO_ANSWER:
            return False
        if run is not self._noted:
            self._noted = run
            self._again()
        return self._since is not None and self.due - self._since <= self._longest

    def restart_failed(self, fault: RowtimeError) -> None:
        """Records that a restart has failed."""
        if fault.code in (NO_ANSWER, NO_CONNECTION):
            self._again()
        else:
            self.due = float("inf")

    def _again(self) -> None:
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        self.due = now + min(LONGEST_DELAY, FIRST_DELAY * 2**self._failures)
        self._failures += 1

    def recovered(self) -> None:
        """Records that the query runs again."""
        self._since, self._failures = None, 0
