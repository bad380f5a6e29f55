"""The rows that a query reads in a second."""

from __future__ import annotations

import pytest

from rowtime.runtime.launch.rates import WINDOW, Rate


def test_an_idle_query_has_the_rate_0() -> None:
    rate = Rate()
    assert rate.at(100) == 0
    rate.add(1000, 100, 2)
    assert rate.at(102) == 500
    assert rate.at(104) == 250
    assert rate.at(102 + WINDOW) == 0
    rate.add(100, 120, 1)
    assert rate.at(121) == 100


def test_batches_that_take_long_have_a_rate_while_the_next_one_runs() -> None:
    rate = Rate()
    rate.add(6000, 0, 60)
    rate.add(6000, 60, 60)
    assert rate.at(120) == 100
    assert rate.at(150) == pytest.approx(80)
    assert rate.at(241) == 0


def test_a_clock_that_was_set_back_gives_no_negative_rate() -> None:
    rate = Rate()
    rate.add(10, 1000, 1)
    assert rate.at(5) == 10
