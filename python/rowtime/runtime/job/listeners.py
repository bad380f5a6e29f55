"""Listeners to events of pumps and inserting queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rowtime.errors import RowtimeError
from rowtime.streams.writes import Rejected


@dataclass(slots=True)
class Listeners:
    """`on_rejected` gets rows that a target has rejected (the pump, the target, the rows), `on_fault` the error of a
    pump that has failed, `on_recovered` the name of one that works again. They are called from threads of their own."""

    on_rejected: Callable[[str, str, Sequence[Rejected]], None] | None = None
    on_fault: Callable[[str, RowtimeError], None] | None = None
    on_recovered: Callable[[str], None] | None = None

    def rejected(self, source: str, target: str, rows: Sequence[Rejected]) -> None:
        if self.on_rejected is not None:
            self.on_rejected(source, target, rows)

    def failed(self, pump: str, fault: RowtimeError) -> None:
        if self.on_fault is not None:
            self.on_fault(pump, fault)

    def recovered(self, pump: str) -> None:
        if self.on_recovered is not None:
            self.on_recovered(pump)
