"""The inverse of a clock: from a time in a node's output to the bound of the sources that reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlglot import exp

from rowtime.errors import error
from rowtime.jvm.functions import LOCAL_REACHED
from rowtime.operators import specs
from rowtime.plan.clock import Ceil, ClockStep, Floor, Local, Shift, uses_local_time
from rowtime.sparksql.expressions import TIMESTAMP, add, cast, ceil, fn, shift, text, year_month_interval
from rowtime.streams.times import ORIGIN
from rowtime.translate.calendar import UNITS, calendar_ceil

_LONGEST_MONTH = 31 * 86_400_000


def watermark_at(clock: Sequence[ClockStep], time: exp.Expression) -> exp.Expression:
    """Returns the least watermark of Spark's at which the bound of a node reaches `time`, a time on the node's own
    clock."""
    return shift(reaches(clock, time), ORIGIN)


def watermark_past(clock: Sequence[ClockStep], time: exp.Expression) -> exp.Expression | None:
    """Returns a watermark W(t) by which the bound of a node has reached `time` t, such that W(t) + d is one for t + d
    as well; None if there is none, as for local times: clocks are set forward and back.

    If a clock rounds down, it is later than the result of `watermark_at`: the bound stands still between two windows.
    """
    if uses_local_time(clock):
        return None
    millis = 0
    for step in clock:
        if isinstance(step, Shift):
            millis -= step.millis
        elif isinstance(step, Floor):
            millis += (step.millis if step.millis is not None else UNITS[step.unit or ""] * _LONGEST_MONTH) - 1
    return shift(time, millis + ORIGIN)


def operator_step(step: ClockStep) -> specs.ClockStep:
    """Returns a step as a parameter of rowtime's operators in Java, which support no calendar units and no local
    times."""
    if isinstance(step, Shift):
        return specs.ClockStep(function="SHIFT", micros=step.millis * 1000, offset=0)
    if isinstance(step, Local) or step.millis is None:
        raise error(
            "RT0999", "The planner should have refused: an operator whose clock goes by a calendar or by local times"
        )
    function: Literal["FLOOR", "CEIL"] = "FLOOR" if isinstance(step, Floor) else "CEIL"
    return specs.ClockStep(function=function, micros=step.millis * 1000, offset=step.offset * 1000)


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
