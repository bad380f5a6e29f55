"""OPTIONS with arbitrary text: each reader returns a value or an error with a code, quickly."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from hostile_records import NUMBERS, TEXTS

from rowtime.adapters import socket as sockets
from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError
from rowtime.foreign import avro, delta
from rowtime.foreign.formats import column_of
from rowtime.foreign.kafka_start import TopicStart
from rowtime.foreign.options import Options
from rowtime.streams import rules

_VALUES = (
    "30 SECONDS", "1 DAY", "² DAYS", "9999999999 WEEKS", "0:42, 1:300", "0:²", "earliest", "true", "json", "1", "65535",
    "65536", "1e3", " 7 ", "7\n", "+7", "0x7", "٣", "VARCHAR(²)", "DECIMAL(٣, 1)", "ROW(a INTEGER, b ROW(c DATE))",
    "INTEGER ARRAY ARRAY", "MAP<VARCHAR, INTEGER>", "2024-05-01 10:00:00", "2024-05-01 10:00:00+99:99",
)  # fmt: skip


def _entry(options: dict[str, str]) -> Entry:
    return Entry("id", 1, {"name": "S", "kind": "STREAM", "columns": [], "options": options})


_READERS: tuple[Callable[[Options], Any], ...] = (
    lambda options: options.number("x"),
    lambda options: options.duration("x"),
    lambda options: options.flag("x", True),
    lambda options: Options(_entry({"connector": "files", "format": options.given["x"]})).choice("format"),
    lambda options: options.names("x"),
    lambda options: TopicStart.of(options, "latest"),
    sockets._port,
    lambda options: avro._id(options, needed=True),
    delta._version,
    delta._timestamp,
    lambda options: column_of(options, "x", ()),
    lambda options: rules.rules(_entry(options.given)),
    lambda options: rules.history(_entry(options.given)),
)
_NAMES = ("x", "start", "port", "avro_schema_id", "version", "timestamp", "producer_timeout", "history", "retry")


def test_options(fuzz: Callable[[], Iterator[random.Random]], figures: Callable[..., None]) -> None:
    counts = {"values": 0, "refused": 0}
    codes: set[str] = set()
    for chance in fuzz():
        text = chance.choice(chance.choice((_VALUES, _VALUES, NUMBERS, TEXTS)))
        for _ in range(chance.choice((0, 0, 1, 3))):
            at = chance.randrange(len(text) + 1)
            text = (
                text[:at]
                + chance.choice(("", "²", "9", " ", "(", "<", ",", "-", "e", "\0", "é"))
                + text[at + chance.randrange(2) :]
            )
        entry = _entry(dict.fromkeys(_NAMES, text))
        begun = time.monotonic()
        for read in _READERS:
            try:
                read(Options(entry))
                counts["values"] += 1
            except RowtimeError as fault:
                codes.add(fault.code)
                counts["refused"] += 1
        assert time.monotonic() - begun < 5, text
    figures(**counts)
    assert codes <= {"RT0521", "RT0522"}
    assert min(counts.values()) > 0
