"""The producers of a script: `!producer`, `!bound` and `!detach`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.streams.log import StreamLog
from rowtime.streams.producer import millis_of
from rowtime.streams.writes import WriteOutcome, WriteRequest

if TYPE_CHECKING:
    from rowtime.session import Session


class ScriptProducers:
    """The producer that INSERT and `!bound` act for, and those that this script has used.

    A producer is attached to a stream by its first row or bound there. In a script it never times out: how long a
    script takes says nothing about its rowtimes. With the end of the script they all leave.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._used: set[str] = set()
        self.current: str | None = None
        """None: each INSERT and `!bound` attaches and detaches in its own commit."""

    def switch(self, name: str | None) -> None:
        self.current = name
        if name is not None:
            self._used.add(name)

    def bound(self, stream: str, timestamp: str, strict: bool) -> tuple[StreamLog, WriteOutcome]:
        """Sets the current producer's bound. Raises RowtimeError RT0504 if `timestamp` is none, RT0555 if it
        is out of range, RT0501 if the bound would go back."""
        bound = millis_of(timestamp)
        log = self._session.log(stream)
        # Rowtimes are whole milliseconds, so that later than t is t + 1 or later.
        return log, log.submit(WriteRequest(rows=None, producer=self.current, bound=bound + 1 if strict else bound))

    def detach(self, name: str) -> list[tuple[StreamLog, WriteOutcome]]:
        """The producer leaves every stream; what each of them did."""
        left = []
        for entry in self._session.store.entries():
            if entry.kind != "STREAM":
                continue
            log = self._session.runtime.log(entry)
            if name in log.state().producers:
                left.append((log, log.submit(WriteRequest(rows=None, producer=name, detach=True))))
        return left

    def close(self) -> None:
        """All producers of this script leave."""
        for name in sorted(self._used):
            self.detach(name)
        self._used.clear()
