"""The way back through a clock: the least bound of the sources that reaches a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from rowtime.plan.clock import Ceil, ClockStep, Floor, Shift
from rowtime.sparksql.expressions import column, sql
from rowtime.translate.clock import reaches

DAY = 86_400_000


def forward(clock: Sequence[ClockStep], bound: int) -> int:
    """Returns the bound of a node, given that of its sources."""
    for step in clock:
        if isinstance(step, Shift):
            bound += step.millis
        else:
            assert step.millis is not None
            into = (bound - step.offset) % step.millis
            bound = bound - into + (step.millis if isinstance(step, Ceil) and into else 0)
    return bound


def value(expression: exp.Expression, time: int) -> int:
    """Returns the value of a translated expression over the column `t`, in milliseconds; computed without Spark."""
    micros = _micros(expression, time)
    assert micros % 1000 == 0
    return micros // 1000


def _micros(e: exp.Expression, time: int) -> int:
    if isinstance(e, exp.Column):
        return time * 1000
    if isinstance(e, (exp.Paren, exp.Cast)):
        return _micros(e.this, time)
    if isinstance(e, exp.Literal):
        return int(e.this)
    if isinstance(e, exp.Neg):
        return -_micros(e.this, time)
    if isinstance(e, exp.Add):
        return _micros(e.this, time) + _micros(e.expression, time)
    if isinstance(e, exp.Sub):
        return _micros(e.this, time) - _micros(e.expression, time)
    assert isinstance(e, exp.Anonymous), sql(e)
    args = [_micros(a, time) for a in e.expressions]
    return args[0] % args[1] if e.this == "pmod" else args[0]


sizes = st.sampled_from([1, 7, 1000, 60_000, 3_600_000, DAY, 7 * DAY])
steps = st.one_of(
    st.builds(Shift, millis=st.integers(-10 * DAY, 10 * DAY)),
    st.builds(Floor, millis=sizes, offset=st.integers(0, DAY)),
    st.builds(Ceil, millis=sizes, offset=st.integers(0, DAY)),
)


@given(st.lists(steps, max_size=4), st.integers(-100 * DAY, 100 * DAY))
def test_it_is_the_least_bound_that_reaches_the_time(clock, time):
    least = value(reaches(clock, column("t")), time)
    assert forward(clock, least) >= time
    assert forward(clock, least - 1) < time


@given(st.integers(-100 * DAY, 100 * DAY))
def test_without_steps_a_time_is_its_own_bound(time):
    assert value(reaches([], column("t")), time) == time


MONTH_STARTS = [datetime(y, m, 1, tzinfo=timezone.utc) for y in (1969, 1970, 2015, 2016) for m in range(1, 13)]


@pytest.mark.parametrize("unit", ["MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY"])
@pytest.mark.parametrize("rounding", [Floor, Ceil])
def test_calendar_units(session, unit, rounding):
    """The same law for units of the calendar, computed by Spark and checked by the calendar of Python."""
    times = sorted(
        {t + d for t in MONTH_STARTS for d in (timedelta(0), timedelta(milliseconds=1), -timedelta(milliseconds=1))}
    )
    listed = ", ".join(f"TIMESTAMP '{t:%Y-%m-%d %H:%M:%S.%f}'" for t in times)
    least = sql(reaches([rounding(unit=unit)], column("t")))
    rows = session.sql(
        f"SELECT unix_millis(t), unix_millis({least}) FROM VALUES {listed.replace(', ', '), (').join('()')} AS v (t)"
    )
    for time, bound in rows.collect():
        assert _calendar(rounding, unit, bound) >= time
        assert _calendar(rounding, unit, bound - 1) < time


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _calendar(rounding: type, unit: str, millis: int) -> int:
    at = _EPOCH + timedelta(milliseconds=millis)
    start = _start(at, unit)
    if rounding is Ceil and start != at:
        start = _start(
            start + timedelta(days={"MONTH": 32, "QUARTER": 93, "YEAR": 367, "DECADE": 3660, "CENTURY": 36600}[unit]),
            unit,
        )
    return round((start - _EPOCH).total_seconds() * 1000)


def _start(at: datetime, unit: str) -> datetime:
    if unit == "MONTH":
        return datetime(at.year, at.month, 1, tzinfo=timezone.utc)
    if unit == "QUARTER":
        return datetime(at.year, (at.month - 1) // 3 * 3 + 1, 1, tzinfo=timezone.utc)
    year = {"YEAR": at.year, "DECADE": at.year - at.year % 10, "CENTURY": (at.year - 1) // 100 * 100 + 1}[unit]
    return datetime(year, 1, 1, tzinfo=timezone.utc)


def test_steps_decode_from_the_planners_json():
    assert msgspec.json.decode(b'[{"fn":"SHIFT","millis":5},{"fn":"CEIL","unit":"MONTH"}]', type=list[ClockStep]) == [
        Shift(5),
        Ceil(unit="MONTH"),
    ]
