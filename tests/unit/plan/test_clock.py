"""How bounds go forward through a plan's clock."""

from __future__ import annotations

import pytest

from rowtime.plan.clock import Ceil, ClockStep, Floor, Local, Shift, forward
from rowtime.streams.times import parse_millis, text

HOUR = 3_600_000

CASES: list[tuple[list[ClockStep], str, str]] = [
    ([], "2006-09-11 12:05:00", "2006-09-11 12:05:00.000"),
    ([Shift(60_000)], "2006-09-11 12:05:00", "2006-09-11 12:06:00.000"),
    ([Floor(millis=HOUR)], "2006-09-11 12:05:00", "2006-09-11 12:00:00.000"),
    ([Floor(millis=HOUR)], "2006-09-11 12:00:00", "2006-09-11 12:00:00.000"),
    ([Floor(millis=HOUR)], "1969-12-31 23:30:00", "1969-12-31 23:00:00.000"),
    ([Floor(millis=HOUR, offset=1_200_000)], "2006-09-11 12:05:00", "2006-09-11 11:20:00.000"),
    ([Ceil(millis=HOUR)], "2006-09-11 12:05:00", "2006-09-11 13:00:00.000"),
    ([Ceil(millis=HOUR)], "2006-09-11 12:00:00", "2006-09-11 12:00:00.000"),
    ([Floor(unit="MONTH")], "2006-09-11 12:05:00", "2006-09-01 00:00:00.000"),
    ([Ceil(unit="MONTH")], "2006-12-11 12:05:00", "2007-01-01 00:00:00.000"),
    ([Floor(unit="QUARTER")], "2006-09-11 12:05:00", "2006-07-01 00:00:00.000"),
    ([Ceil(unit="QUARTER")], "2006-11-11 12:05:00", "2007-01-01 00:00:00.000"),
    ([Floor(unit="YEAR")], "2006-09-11 12:05:00", "2006-01-01 00:00:00.000"),
    ([Ceil(unit="YEAR")], "2006-01-01 00:00:00", "2006-01-01 00:00:00.000"),
    ([Floor(unit="DECADE")], "2006-09-11 12:05:00", "2000-01-01 00:00:00.000"),
    ([Ceil(unit="DECADE")], "2006-09-11 12:05:00", "2010-01-01 00:00:00.000"),
    ([Floor(unit="CENTURY")], "2000-09-11 12:05:00", "1901-01-01 00:00:00.000"),
    ([Ceil(unit="CENTURY")], "2000-09-11 12:05:00", "2001-01-01 00:00:00.000"),
    ([Floor(unit="MILLENNIUM")], "2000-09-11 12:05:00", "1001-01-01 00:00:00.000"),
    ([Floor(unit="DECADE")], "0005-09-11 12:05:00", "0001-01-01 00:00:00.000"),
    ([Ceil(unit="CENTURY")], "9999-09-11 12:05:00", "9999-12-31 23:59:59.999"),
    ([Floor(millis=HOUR), Shift(HOUR)], "2006-09-11 12:05:00", "2006-09-11 13:00:00.000"),
    ([Shift(HOUR), Floor(unit="MONTH")], "2006-09-30 23:05:00", "2006-10-01 00:00:00.000"),
]


def unzoned(zone: str, bound: int) -> int:
    raise AssertionError(f"no clock here goes by local times of {zone}")


@pytest.mark.parametrize(("clock", "source", "expected"), CASES)
def test_forward(clock: list[ClockStep], source: str, expected: str) -> None:
    assert text(forward(clock, parse_millis(source), unzoned)) == expected


@pytest.mark.parametrize("clock", [clock for clock, _, _ in CASES], ids=str)
def test_a_clock_never_goes_back(clock: list[ClockStep]) -> None:
    begin = parse_millis("1999-12-31 22:59:59.999")
    came = [forward(clock, begin + step * 1_800_001, unzoned) for step in range(200)]
    assert came == sorted(came)


def test_local_times_have_the_bound_of_their_zone() -> None:
    asked = []

    def local(zone: str, bound: int) -> int:
        asked.append((zone, bound))
        return bound + 2 * HOUR

    at = parse_millis("2024-06-30 22:30:00")
    assert text(forward([Local("Europe/Berlin"), Floor(unit="MONTH")], at, local)) == "2024-07-01 00:00:00.000"
    assert asked == [("Europe/Berlin", at)]
