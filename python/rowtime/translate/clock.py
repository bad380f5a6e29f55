"""The inverse of a clock: from a time in a node's output to the bound of the sources that reaches it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from rowtime.jvm.functions import LOCAL_REACHED
from rowtime.plan.clock import Ceil, ClockStep, Floor, Local, Shift
from rowtime.sparksql.expressions import TIMESTAMP, add, cast, ceil, fn, shift, text, year_month_interval
from rowtime.streams.times import ORIGIN
from rowtime.translate.calendar import UNITS, calendar_ceil


def watermark_at(clock: Sequence[ClockStep], time: exp.Expression) -> exp.Expression:
    """Returns the least watermark of Spark's at which the bound of a node reaches `time`, a time on the node's own
    clock."""
    return shift(reaches(clock, time), ORIGIN)


def reaches(clock: Sequence[ClockStep], time: exp.Expression) -> exp.Expression:
    """Returns the least bound B of the sources, in whole milliseconds, at which the node's own bound clock(B) reaches
    `time`.

    Steps apply to B from left to right, so they are undone from right to left.
    """
    for step in reversed(clock):
        time = _undo(step, time)
    return time


def _undo(step: ClockStep, time: exp.Expression) -> exp.Expression:
    if isinstance(step, Local):
        return fn(LOCAL_REACHED, cast(time, TIMESTAMP), text(step.zone))
    if isinstance(step, Shift):
        return shift(time, -step.millis)
    if isinstance(step, Floor):
        # FLOOR(B) >= t holds from the first beginning of a window that is not before t
        return _up(step, time)
    # CEIL(B) >= t holds as soon as B is past the beginning of the window in which t ends or lies
    up = _up(step, time)
    if step.millis is not None:
        return shift(up, 1 - step.millis)
    before = add(up, year_month_interval(-UNITS[step.unit or ""]))
    return shift(cast(before, TIMESTAMP), 1)


def _up(step: Floor | Ceil, time: exp.Expression) -> exp.Expression:
    if step.millis is not None:
        return ceil(time, step.millis, step.offset)
    return calendar_ceil(time, step.unit or "")
