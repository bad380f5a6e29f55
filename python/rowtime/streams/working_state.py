"""The state of a log while steps are applied: the fields of `LogState`, the rows that have not entered, and those that
enter now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from rowtime.delta.batches import RowCounts
from rowtime.delta.state import LogState, ProducerState
from rowtime.streams.pending import PendingRows
from rowtime.streams.rules import Rules
from rowtime.types.orders import ColumnOrder, later
from rowtime.types.times import LEAST

_MAX_DEPARTED = 100
_COPIED_FIELDS = (
    "bound",
    "first",
    "entered",
    "received",
    "explicit_bound",
    "attachments",
    "arrivals",
    "rejected",
    "batches",
    "contents",
    "counts",
    "producers",
    "departed",
)
"""The fields that a WorkingState shares with `LogState`."""
_KEY_FIELDS = ("clocks", "watermarks", "last")
"""The fields that contain keys of columns here, and JSON in `LogState`."""


@dataclass(slots=True)
class AttachedProducer:
    """An attached producer while steps are applied: its `clock` (ms, LATENESS not subtracted), the bound that it has
    set itself (`explicit_bound`), and the number of its late rows."""

    id: int
    clock: int | None = None
    explicit_bound: int | None = None
    rejected: int = 0

    def bound(self, allowed_lateness: int) -> int | None:
        clock = None if self.clock is None else max(self.clock - allowed_lateness, LEAST)
        found: int | None = later(clock, self.explicit_bound)
        return found


@dataclass(slots=True)
class WorkingState:
    """The state that steps change. Each step works on a copy, so a step that fails changes nothing."""

    rules: Rules
    base: LogState
    pending: PendingRows
    bound: int | None
    first: int | None
    entered: int
    received: int | None
    explicit_bound: int | None
    attachments: int
    arrivals: int
    rejected: dict[str, int]
    batches: dict[str, int]
    contents: dict[str, int]
    counts: dict[str, RowCounts]
    producers: dict[str, ProducerState]
    departed: dict[str, int]
    clocks: dict[str, Any]
    watermarks: dict[str, Any]
    last: dict[str, Any]
    entering: list[pa.Table] = field(default_factory=list)

    @staticmethod
    def of(rules: Rules, state: LogState, pending: PendingRows) -> WorkingState:
        orders = {order.name: order for order in _orders(rules)}
        same: dict[str, Any] = {name: _copy(getattr(state, name)) for name in _COPIED_FIELDS}
        keys: dict[str, Any] = {name: _load(orders, getattr(state, name)) for name in _KEY_FIELDS}
        if same["received"] is None:
            same["received"] = state.accounted
        return WorkingState(rules, state, pending.copy(), **same, **keys)

    def copy(self) -> WorkingState:
        return WorkingState(*[_copy(getattr(self, name)) for name in self.__slots__])

    def count_departed(self, name: str, count: int) -> None:
        """Counts late rows of a producer that has detached."""
        self.departed[name] = self.departed.pop(name, 0) + count
        if len(self.departed) > _MAX_DEPARTED:
            del self.departed[next(iter(self.departed))]

    def check_row_counts(self) -> None:
        """Checks that each row that arrived has entered, was rejected, or is held. Raises AssertionError if one is
        missing, and the step fails."""
        accounted = self.entered + sum(self.rejected.values()) + len(self.pending)
        if self.received != accounted:
            raise AssertionError(f"'{self.rules.name}' got {self.received} rows, but {accounted} are accounted for")

    def state_fields(self) -> dict[str, Any]:
        """Returns the fields of `LogState` that steps change."""
        orders = {order.name: order for order in _orders(self.rules)}
        same = {name: getattr(self, name) for name in _COPIED_FIELDS}
        keys = {name: _dump(orders, getattr(self, name)) for name in _KEY_FIELDS}
        return {**same, "held": len(self.pending), **keys}

    def column_keys(self) -> list[tuple[ColumnOrder, Any]]:
        """Returns the columns with an order (except ROWTIME of streams), and the key below which (MONOTONIC DECREASING:
        above which) there is no later row; None: unknown."""
        found: dict[str, tuple[ColumnOrder, Any]] = {}
        for late in self.rules.lateness:
            clock = self.clocks.get(late.order.name)
            found[late.order.name] = late.order, None if clock is None else clock - late.value
        for order, up in self.rules.monotonic:
            last, known = self.last.get(order.name), found.get(order.name, (order, None))[1]
            found[order.name] = order, later(last, known) if up else last
        return list(found.values())


def _orders(rules: Rules) -> list[ColumnOrder]:
    found = [one.order for one in (*rules.watermarks, *rules.lateness)]
    return found + [order for order, _ in rules.monotonic]


def _copy(value: Any) -> Any:
    """Returns the value, or a copy if it is mutable."""
    return value.copy() if isinstance(value, dict | list | PendingRows) else value


def _load(orders: dict[str, ColumnOrder], values: dict[str, Any]) -> dict[str, Any]:
    return {name: orders[name].load(value) for name, value in values.items() if name in orders}


def _dump(orders: dict[str, ColumnOrder], values: dict[str, Any]) -> dict[str, Any]:
    return {name: orders[name].dump(value) for name, value in values.items()}
