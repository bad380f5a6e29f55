"""The producers of a script: `!producer`, `!bound` and `!detach`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.streams.log import StreamLog
from rowtime.streams.producer import millis_of
from rowtime.streams.writes import WriteOutcome, WriteRequest

if TYPE_CHECKING:
    from rowtime.session import Session


class ScriptProducers:
    """The current producer, for which INSERT and `!bound` act, and those that this script has used.

    The first row or bound of a producer in a stream attaches it. In a script it never times out: the duration of a
    script says nothing about its rowtimes. At the end of the script all producers detach.
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

    def set_bound(self, stream: str, timestamp: str, strict: bool) -> tuple[StreamLog, WriteOutcome]:
        """Sets the current producer's bound. Raises RowtimeError RT0504 if `timestamp` is not a timestamp, RT0555 if it
        is out of range, RT0501 if the bound would go back."""
        bound = millis_of(timestamp)
        log = self._session.log(stream)
        # Rowtimes are whole milliseconds, so a time later than t is t + 1 or later.
        return log, log.submit(WriteRequest(rows=None, producer=self.current, bound=bound + 1 if strict else bound))

    def detach(self, name: str) -> list[tuple[StreamLog, WriteOutcome]]:
        """Detaches the producer from every stream; returns the outcome for each."""
        left = []
        for entry in self._session.store.entries():
            if entry.kind != "STREAM":
                continue
            log = self._session.runtime.log(entry)
            if name in log.state().producers:
                left.append((log, log.submit(WriteRequest(rows=None, producer=name, detach=True))))
        return left

    def close(self) -> None:
        """Detaches all producers of this script."""
        for name in sorted(self._used):
            self.detach(name)
        self._used.clear()
