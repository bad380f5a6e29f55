"""Which rows may come from a producer."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rowtime.streams.arrival import check_rowtimes


def checked(rows: list[int | None], floor: int | None, clock: int = 99, moving: bool = True) -> list[int | None]:
    """Returns the ROWTIME of each row that is on time, and None for each late row."""
    missing = np.array([row is None for row in rows])
    rowtimes = np.array([0 if row is None else row for row in rows], dtype=np.int64)
    found, good = check_rowtimes(rowtimes, missing if missing.any() else None, floor, clock, moving=moving)
    return [int(row) if yes else None for row, yes in zip(found, good, strict=True)]


def test_the_first_row_may_have_any_rowtime() -> None:
    assert checked([10], None) == [10]
    assert checked([], 5) == []


def test_rows_are_judged_one_by_one() -> None:
    assert checked([10, 30, 20, 30, 29], 5) == [10, 30, None, 30, None]
    assert checked([4, 5], 5) == [None, 5]


def test_with_disorder_only_the_bound_at_the_beginning_counts() -> None:
    assert checked([10, 30, 20, 4, 5], 5, moving=False) == [10, 30, 20, None, 5]


def test_a_row_without_rowtime_gets_the_clock_or_the_bound() -> None:
    assert checked([None], None) == [99]
    assert checked([None], 120) == [120]
    assert checked([100, None, 130, None, 99], None) == [100, 100, 130, 130, None]
    assert checked([100, None], 5, moving=False) == [100, 99]


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 50)), max_size=30),
    st.one_of(st.none(), st.integers(0, 50)),
    st.integers(0, 50),
)
def test_one_row_after_the_other(rows: list[int | None], floor: int | None, clock: int) -> None:
    expected: list[int | None] = []
    bound = floor
    for row in rows:
        rowtime = (clock if bound is None else max(clock, bound)) if row is None else row
        late = bound is not None and rowtime < bound
        expected.append(None if late else rowtime)
        bound = bound if late else rowtime
    assert checked(rows, floor, clock) == expected
