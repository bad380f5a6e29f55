"""Clock steps: how the bound of a node's ROWTIME follows from the bound of its sources.

A node's `clock` is a list of steps, applied left to right to the least bound of its sources; no step is the identity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

CalendarUnit = Literal["MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM"]


class Shift(msgspec.Struct, tag_field="fn", tag="SHIFT", forbid_unknown_fields=True, frozen=True):
    """Moves the bound by `millis`, which may be negative."""

    millis: int


class _Rounding(msgspec.Struct, tag_field="fn", forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """Either `millis` or `unit` is set: `millis` is the length of a window, one of which begins at `offset` (ms since
    the epoch); `unit` is a unit of the calendar, whose length varies."""

    millis: int | None = None
    offset: int = 0
    unit: CalendarUnit | None = None

    def __post_init__(self) -> None:
        if (self.millis is None) == (self.unit is None):
            raise ValueError("a clock step rounds either to millis or to a unit")
        if self.millis is not None and self.millis <= 0:
            raise ValueError("a clock step rounds to a positive number of millis")


class Floor(_Rounding, tag="FLOOR", frozen=True):
    """Moves the bound back to the beginning of its window."""


class Ceil(_Rounding, tag="CEIL", frozen=True):
    """Moves the bound up to the end of its window; a bound at the beginning of one stays."""


class Local(msgspec.Struct, tag_field="fn", tag="LOCAL", forbid_unknown_fields=True, frozen=True):
    """Maps the bound to local times in the time `zone`: to the least time that its clocks show from then on. They are
    occasionally set back."""

    zone: str


ClockStep = Shift | Floor | Ceil | Local


def uses_local_time(clock: Sequence[ClockStep]) -> bool:
    """Returns whether the clock depends on when clocks of a time zone are set back."""
    return any(isinstance(step, Local) for step in clock)


def forward(clock: Sequence[ClockStep], bound: int, local: Callable[[str, int], int]) -> int:
    """Returns the bound of a node's ROWTIME if the least bound of its sources is `bound`; both in ms since 1970.
    `local` returns the bound of local times in a zone for a bound in UTC. The result is in the years 1 to 9999, like
    ROWTIME."""
    for step in clock:
        bound = local(step.zone, bound) if isinstance(step, Local) else _step(step, bound)
    return min(max(bound, _FIRST), _LAST)


_EPOCH = datetime(1970, 1, 1)
_LAST = (datetime(9999, 12, 31, 23, 59, 59, 999000) - _EPOCH) // timedelta(milliseconds=1)
_FIRST = (datetime(1, 1, 1) - _EPOCH) // timedelta(milliseconds=1)
_MONTHS: dict[str, int] = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_YEARS: dict[str, int] = {"DECADE": 10, "CENTURY": 100, "MILLENNIUM": 1000}


def _step(step: Shift | Floor | Ceil, bound: int) -> int:
    if isinstance(step, Shift):
        return bound + step.millis
    if step.millis is not None:
        floor = (bound - step.offset) // step.millis * step.millis + step.offset
        return floor if isinstance(step, Floor) or floor == bound else floor + step.millis
    assert step.unit is not None
    return _calendar(step.unit, bound, up=isinstance(step, Ceil))


def _calendar(unit: CalendarUnit, bound: int, *, up: bool) -> int:
    """Rounds a bound to a calendar unit. Centuries and millennia begin with year 1 (2001), decades with year 0 (2020),
    as in Calcite."""
    when = _EPOCH + timedelta(milliseconds=min(max(bound, _FIRST), _LAST))
    if unit in _MONTHS:
        length = _MONTHS[unit]
        month = (when.month - 1) // length * length
        year, following = when.year, (when.year + (month + length) // 12, (month + length) % 12)
    else:
        length = _YEARS[unit]
        first = 0 if unit == "DECADE" else 1
        year, month = (when.year - first) // length * length + first, 0
        following = (year + length, 0)
    floor = (datetime(max(year, 1), month + 1, 1) - _EPOCH) // timedelta(milliseconds=1)
    if not up or floor == bound:
        return floor
    if following[0] > 9999:
        # No ROWTIME is later than year 9999, so no bound needs to be.
        return _LAST
    return (datetime(following[0], following[1] + 1, 1) - _EPOCH) // timedelta(milliseconds=1)
