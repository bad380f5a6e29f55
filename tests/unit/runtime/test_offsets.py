"""What a checkpoint says that a query has read. The lines are as Spark 4.2 and Delta 4.4 write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowtime.runtime.checkpoint.offsets import OffsetLog, is_behind
from rowtime.runtime.launch.progress import _watermark_text
from rowtime.types import times

QUERY = '{"batchWatermarkMs":%d,"batchTimestampMs":1795282178109,"conf":{"spark.sql.shuffle.partitions":"2"}}'
DELTA = '{"sourceVersion":1,"reservoirId":"%s","reservoirVersion":%d,"index":-1,"isStartingVersion":false}'


def write(folder: Path, kind: str, batch: int, *lines: str) -> None:
    (folder / kind).mkdir(parents=True, exist_ok=True)
    (folder / kind / str(batch)).write_text("\n".join(["v1", *lines]))


def test_the_last_batch_that_is_done(tmp_path: Path) -> None:
    log = OffsetLog(tmp_path)
    assert (log.latest_completed(), log.batch(0)) == (None, None)
    write(tmp_path, "offsets", 0, QUERY % 0, DELTA % ("one", 3))
    assert log.latest_completed() is None
    running = log.batch(0)
    assert running is not None
    assert (running.batch, running.watermark, running.versions) == (0, None, {"one": 3})
    for batch in range(1, 12):
        write(tmp_path, "offsets", batch, QUERY % (times.ORIGIN + batch), DELTA % ("one", 3 + batch))
        write(tmp_path, "commits", batch, '{"nextBatchWatermarkMs":0}')
    (tmp_path / "commits" / ".11.crc").write_bytes(b"x")
    done = log.latest_completed()
    assert done is not None
    assert (done.batch, done.watermark, done.versions) == (11, 11, {"one": 14})


def test_several_sources(tmp_path: Path) -> None:
    """A log that a query reads twice is at the lesser of the two positions; other sources are ignored."""
    kafka = '{"topic":{"0":23}}'
    offsets = [DELTA % ("one", 7), "-", DELTA % ("two", 2), kafka, '{"logOffset":3}', DELTA % ("one", 6)]
    write(tmp_path, "offsets", 5, QUERY % 0, *offsets)
    found = OffsetLog(tmp_path).batch(5)
    assert found is not None
    assert found.versions == {"one": 6, "two": 2}


@pytest.mark.parametrize("text", ["2006-09-11T12:05:00.000", "0001-01-01T00:00:00.001", "9998-12-31T23:59:59.999"])
def test_watermarks_of_every_year(text: str) -> None:
    """Spark writes years past 9999 with a plus sign."""
    shifted = times.parse_millis(text) + times.ORIGIN
    years, rest = 0, shifted
    while rest > times.parse_millis("9999-12-31"):
        rest -= 400 * 365.2425 * 86_400_000
        years += 400
    written = times.text(int(rest), "T")
    if years:
        written = f"+{int(written[:4]) + years}{written[4:]}"
    assert _watermark_text(written + "Z") == text


def test_no_watermark() -> None:
    assert _watermark_text("1970-01-01T00:00:00.000Z") is None
    assert _watermark_text(None) is None


COMMIT = {"reservoirId": "one", "reservoirVersion": 7, "index": 3}


@pytest.mark.parametrize(
    ("now", "then", "behind"),
    [
        ([{"log": "a", "next": 3}], [{"log": "a", "next": 3}], False),
        ([{"log": "a", "next": 3}, {"log": "b", "next": 2}], [{"log": "a", "next": 2}, {"log": "b", "next": 3}], True),
        ([{"log": "a", "next": 3}], [{"log": "b", "next": 2}], True),
        ([{"t": {"0": 5, "1": 5}}], [{"t": {"0": 5}}], False),
        ([{"t": {"0": 5}}], [{"t": {"0": 5, "1": 0}}], True),
        ([COMMIT], [{**COMMIT, "reservoirVersion": 6, "index": 9}], False),
        ([COMMIT], [{**COMMIT, "index": 4}], True),
        ([frozenset("ab")], [frozenset("a")], False),
        ([frozenset("ab")], [frozenset("bc")], True),
        ([None, 5], [None, 5], False),
        ([None], [4], True),
        ([5], [None], False),
        (["x"], ["y"], True),
        ([], [None], True),
    ],
)
def test_which_position_is_behind(now: Any, then: Any, behind: bool) -> None:
    assert is_behind(now, then) == behind
