"""A model of clock steps, written without the operators' own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from rowtime.plan.clock import CalendarUnit, Ceil, ClockStep, Floor, Local, Shift


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
