"""Times outside the years 1 to 9999 are refused where they come in; logs that hold such a bound can be looked at."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.streams.conftest import column, opened, rowtime

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.producer import Producer
from rowtime.types import times
from rowtime_cli import main

Make = Callable[..., StreamLog]

EAST, WEST = dt.timezone(dt.timedelta(hours=12)), dt.timezone(dt.timedelta(hours=-12))
MAY = dt.datetime(2024, 5, 1)
MAY_MILLIS = 1_714_521_600_000


@pytest.mark.parametrize(
    ("bound", "code", "told"),
    [
        (MAY_MILLIS * 1000, "RT0555", "is this in microseconds?"),
        (MAY_MILLIS * 1_000_000, "RT0555", "is this in nanoseconds?"),
        (-MAY_MILLIS * 1000, "RT0555", "is this in microseconds?"),
        (10**30, "RT0555", "The bound a number of more than 30 digits is not in the years"),
        pytest.param(-(10**5000), "RT0555", "a number of", id="huge"),
        ("9999-12-31T23:59:59.999999-12:00", "RT0555", "is not in the years 1 to 9999"),
        ("0001-01-01 00:00:00+12:00", "RT0555", "is not in the years 1 to 9999"),
        (dt.datetime.max.replace(tzinfo=WEST), "RT0555", "is not in the years 1 to 9999"),
        (dt.datetime.min.replace(tzinfo=EAST), "RT0555", "is not in the years 1 to 9999"),
        (np.datetime64("56000-01-01"), "RT0555", "is not in the years 1 to 9999"),
        (np.datetime64("NaT"), "RT0555", "is not in the years 1 to 9999"),
        (True, "RT0504", "'True' is not a timestamp"),
        (np.bool_(True), "RT0504", "'True' is not a timestamp"),
        (None, "RT0504", "'None' is not a timestamp"),
        (1.5e12, "RT0504", "is not a timestamp"),
        (float("nan"), "RT0504", "'nan' is not a timestamp"),
        ("", "RT0504", "is not a timestamp"),
        ("10000-01-01", "RT0504", "is not a timestamp"),
        (b"2024-05-01", "RT0504", "is not a timestamp"),
        ([MAY], "RT0504", "is not a timestamp"),
    ],
)
def test_a_bound_that_is_none(make: Make, bound: Any, code: str, told: str) -> None:
    log = make()
    other = Producer(log, "other")
    other.insert([(MAY, 1)])
    with pytest.raises(RowtimeError) as caught:
        Producer(log, "p").set_rowtime_bound(bound)
    assert caught.value.code == code
    assert told in f"{caught.value} {caught.value.diagnostics[0].hint}"
    assert list(log.state().producers) == ["other"]
    other.set_rowtime_bound("2024-05-01 01:00:00")


@pytest.mark.parametrize(
    "bound",
    [
        MAY,
        MAY.date(),
        MAY_MILLIS,
        np.int64(MAY_MILLIS),
        np.datetime64("2024-05-01"),
        "2024-05-01T00:00:00Z",
        MAY.replace(tzinfo=dt.timezone.utc).astimezone(EAST),
    ],
)
def test_a_bound_in_every_form(make: Make, bound: Any) -> None:
    producer = Producer(make(), "p")
    producer.set_rowtime_bound(bound)
    assert producer.bound == MAY


def test_the_ends_of_the_range(make: Make) -> None:
    producer = Producer(make(), "p")
    producer.insert([("0001-01-01", 1), ("9999-12-31 23:59:59.999", 2)])
    producer.set_rowtime_bound(dt.datetime.max)
    with pytest.raises(RowtimeError, match="RT0555"):
        producer.set_rowtime_bound(dt.datetime.max, strict=True)
    assert times.text(times.LEAST) == "0001-01-01 00:00:00.000"
    assert times.text(times.GREATEST) == "9999-12-31 23:59:59.999"
    assert times.text(times.GREATEST + 1) == "+010000-01-01 00:00:00.000"
    assert times.text(times.LEAST - 1) == "+000000-12-31 23:59:59.999"
    # What `date -u -d @1714521600000` says.
    assert times.text(MAY_MILLIS * 1000) == "+056301-01-11 00:00:00.000"


@pytest.mark.parametrize(
    "value", ["9999-12-31T23:59:59-12:00", dt.datetime.max.replace(tzinfo=WEST), 5, np.datetime64("NaT")]
)
def test_a_row_whose_time_is_none(make: Make, value: Any) -> None:
    log = make()
    with pytest.raises(
        RowtimeError, match=r"RT0502: A row does not fit stream 'S': ROWTIME: .* (fit in|is not a) TIMESTAMP"
    ):
        Producer(log, "p").insert([(value, 1)])
    assert log.state().accounted == 0


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("TIMESTAMP(3)", pa.scalar(MAY_MILLIS * 1_000_000, pa.timestamp("us", "UTC"))),
        ("DATE", pa.scalar(5_000_000, pa.date32())),
    ],
)
def test_stored_rows_of_a_query(make: Make, type: str, value: pa.Scalar) -> None:
    """Whatever Spark has computed, the log accepts only what can be read again."""
    log = make(rowtime(), column("t", type))
    rows = pa.table(
        [pa.array([0], pa.timestamp("us", "UTC")), pa.array([value.as_py() if type == "x" else value])],
        schema=log.stored,
    )
    with pytest.raises(RowtimeError, match="RT0555: A value of t for 'S' is not in the years 1 to 9999"):
        log.submit(WriteRequest(rows=rows, producer="pump"))
    assert log.state().accounted == 0


@pytest.mark.parametrize("timeout", [-5, True, 1.5, "60", 10**30, float("nan")])
def test_a_timeout_that_is_none(make: Make, timeout: Any) -> None:
    with pytest.raises(RowtimeError, match="RT0556: A producer's timeout is a number of milliseconds"):
        Producer(make(), "p", timeout)


def test_a_bound_never_leaves_the_range(make: Make) -> None:
    """LATENESS may reach back before the year 1, when there can be no row."""
    log = make(rowtime(latenessValue={"millis": times.LONGEST}), column("n"))
    Producer(log, "p").insert([(MAY, 1)])
    assert log.state().bound == times.LEAST


@pytest.fixture
def far(make: Make, monkeypatch: pytest.MonkeyPatch) -> StreamLog:
    """A log that earlier builds could write: with a bound in the year 56,301, and a row in the year 10,000."""
    log = make(name="FAR", options={"history": "all"})
    with monkeypatch.context() as patch:
        patch.setattr("rowtime.streams.log.require_in_range", lambda bound: bound)
        patch.setattr("rowtime.streams.log.check_times", lambda *_: None)
        late = (times.GREATEST + 1) * 1000
        log.submit(
            WriteRequest(rows=log.table([[MAY_MILLIS * 1000, 1], [late, 2]]), producer="p", bound=MAY_MILLIS * 1000)
        )
    return log


def test_a_log_that_has_such_a_bound_can_be_looked_at(
    far: StreamLog, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(*arguments: str) -> str:
        assert main.main(["stream", *arguments, "--warehouse", str(store.warehouse)]) == 0
        return capsys.readouterr().out

    assert "+056301-01-11" in answer("list")
    shown = json.loads(answer("show", "far", "--format", "json"))
    assert (shown["bound"], shown["producers"][0]["bound"]) == ("+056301-01-11T00:00:00.000",) * 2
    tailed = [json.loads(line) for line in answer("tail", "far", "--format", "json").splitlines()]
    assert [row["ROWTIME"] for row in tailed] == ["2024-05-01T00:00:00.000", "+010000-01-01T00:00:00.000"]
    assert len(answer("tail", "far", "--from", "2024-06-01", "--format", "csv").splitlines()) == 2
    assert Producer(opened(store, "FAR"), "p").bound == dt.datetime(9999, 12, 31, 23, 59, 59, 999000)
    with pytest.raises(RowtimeError, match=r"RT0501: .* cannot go back from \+056301-01-11"):
        Producer(opened(store, "FAR"), "p").set_rowtime_bound(MAY)


def test_from_beyond_the_range(
    far: StreamLog, store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["stream", "tail", "far", "--from", "9999-12-31T23:59:59-12:00", "--warehouse", str(store.warehouse)]
    assert main.main(command) != 0
    assert "RT0623" in capsys.readouterr().err
