"""The check of rows as they enter: LATENESS of columns other than ROWTIME, and MONOTONIC columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from rowtime.streams.pending import Mask
from rowtime.streams.rules import Rules
from rowtime.types.orders import ColumnOrder, largest, later, plain


class LateRecordFilter:
    """Finds late rows among those that enter in one step. `clocks` contains the largest values of LATENESS columns
    before it, `last` the latest of MONOTONIC ones, by stored name; `last` advances with every row, `clocks` with
    `close`."""

    def __init__(self, rules: Rules, clocks: dict[str, Any], last: dict[str, Any]) -> None:
        self._rules = rules
        self._clocks = clocks
        self._last = last
        self._reached: dict[str, Any] = {}
        self._floors = [
            None if clocks.get(late.order.name) is None else clocks[late.order.name] - late.value
            for late in rules.lateness
        ]

    def check(self, table: pa.Table) -> tuple[Mask, Mask]:
        """Returns which rows are in time, and which of those keep the order of the MONOTONIC columns."""
        rules = self._rules
        timely = np.ones(table.num_rows, bool)
        for late, floor in zip(rules.lateness, self._floors, strict=True):
            if floor is not None:
                keys, known = late.order.keys(table[late.order.name])
                timely &= ~(known & (keys < floor))
        ordered = self._monotonic(table, timely) if rules.monotonic else timely
        for late in rules.lateness:
            keys, known = late.order.keys(table[late.order.name])
            reached = largest(keys, known & ordered)
            self._reached[late.order.name] = later(self._reached.get(late.order.name), reached)
        return timely, ordered

    def close(self) -> None:
        """Ends the step: its rows advance the clocks."""
        for name, reached in self._reached.items():
            if reached is not None:
                self._clocks[name] = later(self._clocks.get(name), reached)

    def _monotonic(self, table: pa.Table, timely: Mask) -> Mask:
        judged = [(order, up, *order.keys(table[order.name])) for order, up in self._rules.monotonic]
        if len(judged) == 1:
            ((order, up, keys, known),) = judged
            return self._single(order, up, keys, known, timely)
        return self._several(judged, timely)

    def _single(self, order: ColumnOrder, up: bool, keys: Any, known: Mask, timely: Mask) -> Mask:
        good = timely.copy()
        counted = np.flatnonzero(timely & known)
        if not len(counted):
            return good
        values = keys[counted]
        last = self._last.get(order.name)
        if last is not None:
            values = np.concatenate((np.array([last], dtype=values.dtype), values))
        # A row that breaks the order is behind the furthest before it, so it does not count for those after it.
        furthest = (np.maximum if up else np.minimum).accumulate(values)
        in_order = np.asarray(values == furthest, dtype=bool)
        good[counted] = in_order if last is None else in_order[1:]
        self._last[order.name] = plain(furthest[-1])
        return good

    def _several(self, judged: list[tuple[ColumnOrder, bool, Any, Mask]], timely: Mask) -> Mask:
        # A row that breaks one column's order does not move the others: one row at a time.
        good = timely.copy()
        last = [self._last.get(order.name) for order, _, _, _ in judged]
        for index in np.flatnonzero(timely):
            values = [plain(keys[index]) if known[index] else None for _, _, keys, known in judged]
            good[index] = all(
                value is None or before is None or (value >= before if up else value <= before)
                for value, before, (_, up, _, _) in zip(values, last, judged, strict=True)
            )
            if good[index]:
                last = [before if value is None else value for value, before in zip(values, last, strict=True)]
        for (order, _, _, _), value in zip(judged, last, strict=True):
            if value is not None:
                self._last[order.name] = value
        return good
