"""From a time in a node's output to the watermark that reaches it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from rowtime.jvm.functions import CLOCK_REACHED
from rowtime.plan.clock import ClockStep, clock_text
from rowtime.sparksql.expressions import TIMESTAMP, cast, fn, shift, text
from rowtime.types.times import ORIGIN


def watermark_at(clock: Sequence[ClockStep], time: exp.Expression) -> exp.Expression:
    """Returns the least watermark of Spark's at which the bound of a node reaches `time`, a time on the node's own
    clock."""
    if not clock:
        return shift(time, ORIGIN)
    return fn(CLOCK_REACHED, cast(time, TIMESTAMP), text(clock_text(clock)))
