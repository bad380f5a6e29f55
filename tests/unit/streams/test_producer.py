"""Producers as Python code has them."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from rowtime.errors import RowtimeError
from rowtime.streams.log import Rejected, StreamLog
from rowtime.streams.producer import Producer

Make = Callable[..., StreamLog]


def test_the_story_of_three_producers(make: Make) -> None:
    log = make()
    day = "2006-09-11 "
    p1 = Producer(log, "P1")
    p1.set_rowtime_bound(day + "10:00:00")
    assert log.bound is None
    p1.insert([(day + "10:00:00", 1)])
    assert log.bound == 1_157_968_800_000
    p2 = Producer(log, "P2")
    p2.set_rowtime_bound(day + "10:05:00")
    assert p2.insert([(day + "10:05:00", 2)]).entered == 1
    assert log.state().held == 1
    assert [r.reason for r in p2.insert([(day + "09:59:00", 3)]).rejected] == ["late"]
    p1.close()
    assert (log.state().held, log.bound) == (0, 1_157_969_100_000)
    p2.close()
    p3 = Producer(log, "P3")
    assert p3.insert([(day + "10:04:59", 4)]).rejected[0].producer == "P3"
    assert p3.insert([(day + "10:05:00", 5)]).entered == 1
    assert log.state().producers["P3"].rejected == 1


def test_what_a_producer_refuses(make: Make) -> None:
    log = make()
    one = Producer(log)
    one.set_rowtime_bound("1970-01-01 00:00:10")
    refused = one.insert([{"rowtime": "1970-01-01 00:00:09", "N": 2}]).rejected
    assert refused == [Rejected({"ROWTIME": 9_000_000, "n": 2}, "late", one.name)]
    assert one.insert([{"ROWTIME": "1970-01-01 00:00:10", "n": 3}]).entered == 1
    with pytest.raises(RowtimeError) as fault:
        one.set_rowtime_bound("1970-01-01 00:00:09")
    assert fault.value.code == "RT0501"
    one.set_rowtime_bound("1970-01-01 00:00:10", strict=True)
    assert len(one.insert([("1970-01-01 00:00:10", 4)]).rejected) == 1
    assert one.bound is not None and one.bound.isoformat() == "1970-01-01T00:00:10.001000"
    with pytest.raises(RowtimeError, match="n: 'x' is not an INTEGER"):
        one.insert([("1970-01-01 00:01:00", 5), ("1970-01-01 00:01:00", "x")])
    with pytest.raises(RowtimeError, match="there is no column 'm'"):
        one.insert([{"m": 5}])
    with pytest.raises(RowtimeError, match="3 values for 2 columns"):
        one.insert([(None, 5, 6)])
    with pytest.raises(RowtimeError, match="RT0504"):
        one.set_rowtime_bound("noon")
    one.close()
    one.close()
    with pytest.raises(RowtimeError) as closed:
        one.insert([(None, 5)])
    assert closed.value.code == "RT0503"
    assert one.stream == "S"


def test_a_producer_that_nobody_has_any_more_leaves(make: Make) -> None:
    log = make()
    forgotten = Producer(log, "forgotten")
    forgotten.insert([("2020-01-01 10:00:00", 1)])
    with Producer(log, "other") as other:
        other.insert([("2020-01-01 11:00:00", 2)])
        assert log.state().held == 1
        del forgotten
        gc.collect()
        assert log.has_work
        other.insert([("2020-01-01 11:00:00", 3)])
        assert (log.state().held, sorted(log.state().producers)) == (0, ["other"])
    assert not log.state().producers
