"""How a large micro-batch reaches a sink that takes its rows gradually."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowtime.display.values import Row
from rowtime.errors import RowtimeError
from rowtime.runtime.job import feed
from rowtime.runtime.job.feed import RowFeed
from rowtime.runtime.launch.batch_writers import PickledRows
from rowtime.runtime.launch.output import RowSortKey
from rowtime.serve.pages import MOST_WAITING, StreamSink


class Failing(StreamSink):
    """Fails once, after some rows of a batch."""

    failing = True

    def write_gradually(self, rows: Iterator[Row], batch: int) -> None:
        super().write_gradually(self._some(rows) if self.failing else rows, batch)

    def _some(self, rows: Iterator[Row]) -> Iterator[Row]:
        self.failing = False
        yield from (next(rows) for _ in range(MOST_WAITING))
        raise OSError("no more")


def batch(*pieces: list[Row]) -> PickledRows:
    content = b""
    for piece in pieces:
        pickled = pickle.dumps(tuple(piece))
        content += struct.pack(">i", len(pickled)) + pickled
    return PickledRows(memoryview(content), [None, None])


def test_a_large_batch_is_given_once_and_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LARGE_BATCH", 100)
    sink = Failing()
    rows = RowFeed(sink, 1, [RowSortKey(1)], tmp_path, lambda: None)
    half = MOST_WAITING // 2 + 100
    given = batch([(f"b{i}", 2 * i + 1) for i in range(half)], [(f"a{i}", 2 * i) for i in range(half)])
    with pytest.raises(OSError, match="no more"):
        rows(given, 7)
    assert isinstance(rows.failure, RowtimeError)
    assert rows.count == 0
    taken = sink.take(2 * half, 0)
    assert len(taken) == MOST_WAITING
    # The query repeats the batch.
    rows(given, 7)
    taken += sink.take(2 * half, 0)
    assert taken == [(f"{letter}{i}",) for i in range(half) for letter in "ab"]
    assert rows.count == 2 * half
    rows(given, 7)
    assert sink.take(1, 0) == []


def test_a_small_batch_is_written_whole(tmp_path: Path) -> None:
    sink = StreamSink()
    RowFeed(sink, 1, [RowSortKey(1)], tmp_path, lambda: None)(batch([("b", 2), ("a", 1)]), 0)
    assert sink.take(5, 0) == [("a",), ("b",)]
