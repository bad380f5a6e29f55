"""The offsets that a streaming query has read: the offset log in Spark's checkpoint.

`offsets/<n>` is written before micro-batch n runs, and contains the end offset of each source and the watermark;
`commits/<n>` is written when the batch is complete. A source that is a Delta log is identified by the id of its table,
and its offset is the version that is read next: all commits before it have been read completely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint, numbers
from rowtime.types import times


@dataclass(frozen=True, slots=True)
class Offsets:
    """One micro-batch: its number, its watermark (milliseconds since 1970; None if there is none yet), and for each
    Delta log, by the id of its table, the first version that it has not read completely; for each topic, the next
    offset of each partition. `partitions` is the number of its state's partitions."""

    batch: int
    watermark: int | None = None
    versions: Mapping[str, int] = field(default_factory=dict)
    partitions: int | None = None
    topics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class OffsetLog:
    """The offsets in the checkpoint of one query; `folder` is Spark's."""

    def __init__(self, folder: Path) -> None:
        self._offsets = folder / "offsets"
        self._commits = folder / "commits"
        self._sources = folder / "sources"

    def topic_begins(self) -> dict[str, dict[str, int]]:
        """Returns the offsets at which the query has begun to read each topic, by partition; empty before its first
        batch."""
        found: dict[str, dict[str, int]] = {}
        for path in self._sources.glob("*/0"):
            # Spark writes a byte of zero, a line with the version, and the offsets.
            place = _place(path.read_bytes().decode(errors="replace").partition("\n")[2])
            if not isinstance(place, tuple):
                found |= place
        return found

    def batch(self, number: int) -> Offsets | None:
        """Returns the offsets of a batch, also while it runs; None if Spark has not written any, or has removed
        them."""
        path = self._offsets / str(number)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        try:
            return parse_offsets(number, text)
        except (ValueError, AttributeError, KeyError, TypeError) as fault:
            raise damaged_checkpoint("A query", path, "is truncated or damaged") from fault

    def completed_places(self) -> list[Any]:
        """Returns the position of each source after the last completed batch, in the form of the source; None for one
        that had nothing to read yet. Empty before the first batch."""
        last = max(numbers(self._commits), default=None)
        if last is None:
            return []
        try:
            _, _, *sources = (self._offsets / str(last)).read_text(encoding="utf-8").split("\n")
        except (FileNotFoundError, ValueError):
            return []
        return [_decoded(source) for source in sources]

    def latest(self) -> Offsets | None:
        """Returns the last batch that has begun; None before the first one."""
        last = max(numbers(self._offsets), default=None)
        return None if last is None else self.batch(last)

    def latest_completed(self, written: int | None = None) -> Offsets | None:
        """Returns the last completed batch, or the batch that its target has (`written`), if that is later; None before
        the first one."""
        known = numbers(self._commits) if written is None else [*numbers(self._commits), written]
        return None if not known else self.batch(max(known))


def is_behind(now: Any, then: Any) -> bool:
    """Returns whether a position, or the positions of several sources, may be before another one of the same sources,
    `then`. They are in the form of the sources, or sets of files; one of an unknown form is behind unless it is the
    same."""
    if then is None or now == then:
        return False
    if isinstance(then, frozenset) and isinstance(now, frozenset):
        return not then <= now
    if isinstance(then, list) and isinstance(now, list) and len(now) == len(then):
        return any(map(is_behind, now, then))
    if isinstance(then, dict) and isinstance(now, dict):
        if "reservoirVersion" in then and "reservoirVersion" in now:
            # Delta's own source: the commit, and the file within it.
            return _delta_place(now) < _delta_place(then)
        return any(is_behind(now.get(key), value) for key, value in then.items())
    return not (_is_number(now) and _is_number(then) and now > then)


def _delta_place(place: Mapping[str, Any]) -> tuple[int, int]:
    return int(place["reservoirVersion"]), int(place.get("index", 0))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def parse_offsets(number: int, text: str) -> Offsets:
    """Parses a file of the log: a version, a line for the query, and one for each source."""
    _, query, *sources = text.split("\n")
    known = msgspec.json.decode(query)
    watermark = known.get("batchWatermarkMs", 0)
    partitions = str(known.get("conf", {}).get("spark.sql.shuffle.partitions", ""))
    versions: dict[str, int] = {}
    topics: dict[str, dict[str, int]] = {}
    for source in sources:
        place = _place(source)
        if isinstance(place, tuple):
            table, version = place
            versions[table] = min(version, versions.get(table, version))
        else:
            for topic, offsets in place.items():
                before = topics.get(topic)
                topics[topic] = offsets if before is None else {n: min(offsets[n], before.get(n, 0)) for n in offsets}
    return Offsets(number, watermark - times.ORIGIN if watermark > 0 else None, versions, _count(partitions), topics)


def _count(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _place(source: str) -> tuple[str, int] | dict[str, dict[str, int]]:
    """Returns the table of a log and its version, or the offsets of the partitions of each topic, which are empty if it
    is another source."""
    place = _decoded(source)
    if not isinstance(place, dict):
        return {}
    if "reservoirVersion" in place:
        # A checkpoint from an earlier version, in which Delta's own source read logs.
        return str(place["reservoirId"]), int(place["reservoirVersion"])
    if "log" in place and "next" in place:
        return str(place["log"]), int(place["next"])
    return {topic: offsets for topic, offsets in place.items() if _are_offsets(offsets)}


def _decoded(source: str) -> Any:
    try:
        return msgspec.json.decode(source)
    except msgspec.DecodeError:
        # Empty ("-") if a source has nothing to read yet; the format of other sources is their own.
        return None


def _are_offsets(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(offset, int) for offset in value.values())
