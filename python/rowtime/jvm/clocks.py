"""Converts bounds by the clocks of a plan, exactly as the operators do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class
from rowtime.plan.clock import ClockStep, clock_text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CLOCK_CLASS = "io.rowtime.operator.spec.BoundClock"


def forward(spark: SparkSession, clock: Sequence[ClockStep], bound: int) -> int:
    """Returns the bound of a node's ROWTIME if the least bound of its sources is `bound`; both in ms since 1970. The
    result is in the years 1 to 9999, like ROWTIME."""
    return int(java_class(spark, CLOCK_CLASS).read(clock_text(clock)).forward(bound))
