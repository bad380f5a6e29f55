"""Fields of records that fill no column: a source may have got them since its stream was created.

They are counted, by name, in the tasks that parse records. The process that runs a query takes the counts from time to
time, and adds them to a file beside the invalid records of the query; those of the last seconds before it is killed are
lost, and those of a micro-batch that is repeated count again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rowtime.decoding import Decoder
from rowtime.foreign.records import RECORDS_CLASS
from rowtime.jvm.py4j import java_class
from rowtime.storage.smallfiles import write_whole

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FILE = "unknown_fields.json"
_counts = Decoder(dict[str, int])


def unknown_fields(folder: Path) -> dict[str, int]:
    """Returns how many records had each field that fills no column; `folder` is that of the invalid records of a
    query."""
    try:
        return _counts.decode((folder / _FILE).read_bytes())
    except FileNotFoundError:
        return {}


def collect(spark: SparkSession, folder: Path) -> None:
    """Adds what tasks have counted since the last call. Only the process that runs the query may call this, from one
    thread at a time."""
    taken = msgspec.json.decode(java_class(spark, RECORDS_CLASS).takeUnknownFields(folder.absolute().as_uri()))
    if not taken:
        return
    known = unknown_fields(folder)
    for name, count in taken.items():
        known[name] = known.get(name, 0) + count
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / _FILE, msgspec.json.encode(known))
