"""Where a query begins in a topic: with records that arrive from now on, with all, at a time, or at offsets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rowtime.foreign.options import Options
from rowtime.storage.smallfiles import write_whole
from rowtime.types import times

_OFFSETS = re.compile(r"\s*\d{1,9}\s*:\s*\d{1,18}\s*(?:,\s*\d{1,9}\s*:\s*\d{1,18}\s*)*\Z", re.ASCII)
_HINT = "It is earliest, latest, a timestamp such as '2015-02-15 10:00:00', or offsets of partitions: '0:17, 1:4'"

Offsets = Mapping[str, tuple[int, int, int | None]]
"""By partition: its first offset, its end offset, and the offset of the first record of a time."""


@dataclass(frozen=True, slots=True)
class TopicStart:
    """`earliest`, `latest`, a `time` in milliseconds, or `offsets` by partition."""

    text: str
    time: int | None = None
    offsets: Mapping[int, int] | None = None

    @classmethod
    def of(cls, options: Options, default: str, begin: str | None = None) -> TopicStart:
        """Parses the option `start`, or the offsets `begin` in its place. Raises RowtimeError RT0522."""
        said = options.text("start", default)
        text = begin or said
        if text.lower() in ("earliest", "latest"):
            return cls(text.lower())
        if _OFFSETS.match(text):
            pairs = [part.split(":") for part in text.split(",")]
            found = {int(partition): int(offset) for partition, offset in pairs}
            if len(found) < len(pairs):
                raise options.fault(f"has start '{text}', which names a partition twice", "RT0522")
            return cls(text, offsets=found)
        try:
            return cls(text, time=times.parse_millis(text))
        except ValueError:
            raise options.fault(f"has start '{text}', which is not a start position", "RT0522", _HINT) from None

    def since(self, time: int | None) -> TopicStart:
        """Returns the start with records that have arrived since a query was started (ms), if it begins with those that
        arrive."""
        return self if time is None or self.text != "latest" else TopicStart(self.text, time=time)

    def places(self, options: Options, found: Offsets) -> dict[str, int]:
        """Returns the offset in each partition. Raises RowtimeError RT0514 if the topic does not have those of the
        option; a partition that the option does not name is read from its beginning."""
        if self.offsets is not None:
            self._check(options, found)
            return {p: self.offsets.get(int(p), begin) for p, (begin, _, _) in found.items()}
        if self.text == "earliest":
            return {partition: begin for partition, (begin, _, _) in found.items()}
        if self.time is None:
            return {partition: end for partition, (_, end, _) in found.items()}
        return {partition: end if at is None else at for partition, (_, end, at) in found.items()}

    def _check(self, options: Options, found: Offsets) -> None:
        for partition, offset in (self.offsets or {}).items():
            known = found.get(str(partition))
            if known is None:
                raise options.fault(
                    f"has start in partition {partition}, but its topic has {len(found)} partitions, counted from 0",
                    "RT0514",
                )
            if not known[0] <= offset <= known[1]:
                raise options.fault(
                    f"has start at offset {offset} of partition {partition}, which has records from {known[0]} on and "
                    f"before {known[1]}",
                    "RT0514",
                    "Start within this range, at a timestamp, or with earliest or latest",
                )


def beginning(topic: str, file: Path | None, places: Callable[[], Mapping[str, int]]) -> str:
    """Returns the offsets in Spark's form. A query with a `file` records the offsets when it is opened, and not when
    its first batch runs, also after a restart before that."""
    if file is None:
        return json.dumps({topic: places()})
    if not file.exists():
        write_whole(file, json.dumps({topic: places()}).encode())
    return file.read_text()
