"""Which rows may enter a stream."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rowtime.streams.judge import LATE, judge


def test_the_first_row_may_have_any_rowtime() -> None:
    verdict = judge([10], None, None, clock=99)
    assert (verdict.entered, verdict.rejected, verdict.bound) == ([(0, 10)], [], 10)


def test_rows_are_judged_one_by_one() -> None:
    verdict = judge([10, 30, 20, 30, 29], 5, None, clock=99)
    assert verdict.entered == [(0, 10), (1, 30), (3, 30)]
    assert verdict.rejected == [(2, LATE), (4, LATE)]
    assert verdict.bound == 30


def test_a_producers_own_bound_counts_too() -> None:
    assert judge([10, 12], 5, 11, clock=99).entered == [(1, 12)]
    # It does not move the stream's: nothing has entered.
    assert judge([10], 5, 11, clock=99).bound == 5


def test_a_row_without_rowtime_gets_the_clock_or_the_bound() -> None:
    assert judge([None], None, None, clock=99).entered == [(0, 99)]
    assert judge([None], 120, None, clock=99).entered == [(0, 120)]
    assert judge([None], 50, 130, clock=99).entered == [(0, 130)]


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 50)), max_size=30),
    st.one_of(st.none(), st.integers(0, 50)),
    st.integers(0, 50),
    st.integers(0, 30),
)
def test_cutting_rows_into_commits_changes_nothing(
    rows: list[int | None], bound: int | None, clock: int, cut: int
) -> None:
    whole = judge(rows, bound, None, clock)
    first = judge(rows[:cut], bound, None, clock)
    second = judge(rows[cut:], first.bound, None, clock)
    at = min(cut, len(rows))
    assert whole.entered == first.entered + [(i + at, r) for i, r in second.entered]
    assert whole.rejected == first.rejected + [(i + at, why) for i, why in second.rejected]
    assert whole.bound == second.bound
    assert [r for _, r in whole.entered] == sorted(r for _, r in whole.entered)
