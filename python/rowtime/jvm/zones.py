"""Converts bounds to the local times of time zones, exactly as the operators do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CLOCK_CLASS = "io.rowtime.time.LocalClock"


def local_bound(spark: SparkSession) -> Callable[[str, int], int]:
    """Returns a function that takes a zone and a bound in UTC, and returns the bound of the local times there; both in
    ms since 1970."""

    @cache
    def clock(zone: str) -> Any:
        return java_class(spark, CLOCK_CLASS).of(zone)

    def bound(zone: str, utc: int) -> int:
        return int(clock(zone).at(utc * 1000)) // 1000

    return bound
