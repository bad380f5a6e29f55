"""What a query has taken from each of its sources: the rows, and the position up to which it has read them.

Spark counts what its scans return: the control rows of a log too, and each scan of a source that a query reads several
times. Here a row counts once. Rows of a log are counted by its commits, from the position of one micro-batch to that
of the next, so that they are exact however a process has ended. A process that was killed has not told of its last
batches: the records of a topic that were in them are counted by their offsets, and the rows of files before the query
starts again (`untold_rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from rowtime.plan.nodes import Scan

_MARKS = "io.rowtime.marks."
"""Describes a source that only accompanies the one before it."""


class ScanProgress(msgspec.Struct, frozen=True):
    """What one scan of a source has taken: its `rows`, and its `position`, None before the first micro-batch.

    The position in a stream or a table of the warehouse is `{"version": n}`, the first commit that is not read yet; in
    the changes of a table, the version that has been read. That in a foreign stream is in the form of its connector:
    for a topic, the next offset of each partition by topic."""

    source: str
    rows: int = 0
    position: Any = None

    @property
    def version(self) -> int | None:
        """The version of a log that is read next, or of a table that has been read; None for a foreign stream."""
        found = self.position.get("version") if isinstance(self.position, dict) else None
        return found if isinstance(found, int) else None


class SourceProgress(msgspec.Struct, frozen=True):
    """What a query has taken from a source: the rows, each once, and the least position of its scans."""

    rows: int
    position: Any


def by_source(scans: Iterable[ScanProgress]) -> dict[str, SourceProgress]:
    """Returns what a query has taken from each source. Several scans of a source read the same rows, although not
    always in the same micro-batch."""
    found: dict[str, list[ScanProgress]] = {}
    for scan in scans:
        found.setdefault(scan.source, []).append(scan)
    return {
        name: SourceProgress(max(s.rows for s in each), min(each, key=lambda s: s.rows).position)
        for name, each in found.items()
    }


class SourceRows:
    """Adds up what the micro-batches of a query have taken.

    `scans` are the scans of its plan through which rows arrive, in the order in which Spark numbers its sources.
    `begins` are the versions from which it reads logs, by name; `entered` returns how many rows had entered a log
    before a version. `known` is what it had taken before. `topics` are the offsets, by partition, at which it has begun
    to read topics."""

    def __init__(
        self,
        scans: Sequence[Scan],
        begins: Mapping[str, int],
        entered: Callable[[str, int], int],
        known: Sequence[ScanProgress] = (),
        topics: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._topics = topics or {}
        self._begins = begins
        self._entered = entered
        fits = [scan.source for scan in scans] == [scan.source for scan in known]
        self._foreign = ", ".join(sorted({scan.source for scan in scans} - set(begins)))
        self.scans = list(known) if fits else [ScanProgress(scan.source) for scan in scans]

    @property
    def rows(self) -> int:
        """The rows taken from all sources."""
        return sum(source.rows for source in by_source(self.scans).values())

    def add(self, sources: Sequence[Mapping[str, Any]]) -> int:
        """Adds a micro-batch, by what Spark reports of its sources. Returns the number of rows that it has taken."""
        before = self.rows
        for index, source in enumerate(self._aligned(sources)):
            self.scans[index] = self._after(self.scans[index], source)
        return self.rows - before

    def _aligned(self, sources: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Returns the report for each scan."""
        found = [source for source in sources if not str(source.get("description")).startswith(_MARKS)]
        if len(found) == len(self.scans):
            return found
        # A DataFrame that was registered as a stream may read several sources, which have no names.
        logs = [source for source in found if _next(source.get("endOffset")) is not None]
        others = [source for source in found if _next(source.get("endOffset")) is None]
        counted = sum(int(source["numInputRows"]) for source in others)
        joint = {"numInputRows": counted, "endOffset": [source.get("endOffset") for source in others]}
        if len(self.scans) != len(logs) + 1:
            named = [scan.source for scan in self.scans if scan.source in self._begins][: len(logs)]
            self.scans = [ScanProgress(name) for name in (*named, self._foreign)]
        reports = iter(logs)
        return [next(reports) if scan.source in self._begins else joint for scan in self.scans]

    def _after(self, scan: ScanProgress, source: Mapping[str, Any]) -> ScanProgress:
        end = source.get("endOffset")
        version = _next(end)
        if version is None or scan.source not in self._begins:
            before = self._topics if scan.position is None else scan.position
            rows = scan.rows + int(source["numInputRows"]) + _records_between(before, source.get("startOffset"))
            if isinstance(end, dict) and "table" in end:
                # Its id is of no use to anybody.
                end = {"version": end["version"]}
            return ScanProgress(scan.source, rows, scan.position if end is None else end)
        # Not from where Spark says that the batch began: a process that was killed has not counted its last ones.
        begin = scan.version
        if begin is None:
            began = _next(source.get("startOffset"))
            begin = self._begins[scan.source] if began is None else began
        # The last report of an earlier start may come late.
        version = max(begin, version)
        taken = self._entered(scan.source, version) - self._entered(scan.source, begin)
        return ScanProgress(scan.source, scan.rows + taken, {"version": version})


def _records_between(begin: Any, end: Any) -> int:
    """Returns the number of records between two positions in a topic; 0 if they are those of another source."""
    if not isinstance(begin, dict) or not isinstance(end, dict):
        return 0
    return sum(
        max(offset - begin[topic][partition], 0)
        for topic, offsets in end.items()
        if isinstance(offsets, dict) and isinstance(begin.get(topic), dict)
        for partition, offset in offsets.items()
        if partition in begin[topic]
    )


def _next(offset: Any) -> int | None:
    """Returns the version of a log that an offset of Spark's names, None if it is that of another source."""
    found = offset.get("next") if isinstance(offset, dict) and "log" in offset else None
    return found if isinstance(found, int) else None
