"""The readers of records in this process: io.rowtime.records without Spark."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rowtime.foreign.records import value_form
from rowtime.plan.types import parse_type

# The columns of every target: their SQL types and Spark's. The first identifies the valid records.
COLUMNS = (
    ("ID", "INTEGER", "INT"),
    ("AMOUNT", "DECIMAL(10, 2)", "DECIMAL(10, 2)"),
    ("NAME", "VARCHAR", "STRING"),
    ("AT", "TIMESTAMP(3)", "TIMESTAMP"),
    ("SHARE", "DOUBLE", "DOUBLE"),
    ("DAY", "DATE", "DATE"),
    ("OPEN", "BOOLEAN", "BOOLEAN"),
    ("BYTES", "VARBINARY", "BINARY"),
    ("TAGS", "INTEGER ARRAY", "ARRAY<INT>"),
    ("NOTES", "MAP<VARCHAR, DECIMAL(5, 1)>", "MAP<STRING, DECIMAL(5, 1)>"),
    ("PLACE", "ROW(x INTEGER, y VARCHAR)", "STRUCT<x: INT, y: STRING>"),
    ("WAIT", "INTERVAL DAY TO SECOND", "INTERVAL DAY TO SECOND"),
)
_PATIENCE = 20.0


@dataclass(frozen=True)
class ReadOutcome:
    """The values of ID of the rows that were read, in order, None for NULL; and the number of records that were set
    aside."""

    ids: list[int | None]
    invalid: int


class RecordReaders:
    """Reads records of one layout (see io.rowtime.records.RecordFormat); invalid ones go to `aside`."""

    def __init__(self, layout: dict[str, str], aside: Path, columns: int = len(COLUMNS)) -> None:
        self._aside = aside
        types = _load("org.apache.spark.sql.types.StructType")
        wanted = types.fromDDL(", ".join(f"{name} {spark}" for name, _, spark in COLUMNS[:columns]))
        record = "BINARY" if layout["format"] == "avro" else "STRING"
        given = types.fromDDL(f"value {record}, file STRING, place BIGINT, trouble STRING")
        target = _constructor("io.rowtime.records.RecordColumn")
        targets = _java("java.util.ArrayList")()
        forms = (
            _loader()
            .loadClass("io.rowtime.records.ValueForm")
            .getDeclaredMethod("read", _java("java.lang.String").class_)
        )
        forms.setAccessible(True)
        for i, (name, sql, _) in enumerate(COLUMNS[:columns]):
            form = forms.invoke(None, json.dumps(value_form(parse_type(sql))))
            given_by = _java("java.lang.Integer").valueOf(-1)
            nullable = _java("java.lang.Boolean").TRUE
            targets.add(target(name, name, given_by, sql, wanted.fields()[i].dataType(), form, nullable))
        told = _java("java.util.HashMap")()
        for name, value in {"lines": "false", **layout}.items():
            told.put(name, value)
        made = (
            _loader()
            .loadClass("io.rowtime.records.RecordFormat")
            .getDeclaredMethod("of", _java("java.util.Map").class_)
        )
        made.setAccessible(True)
        folder = _java("java.io.File")(str(aside)).toURI().toString()
        read, unknown = made.invoke(None, told), _constructor("io.rowtime.records.UnknownFields")()
        reader = _constructor("io.rowtime.records.RecordReader")(targets, given, read, folder, unknown)
        self._reader = _jpype().JObject(reader, _load("org.apache.spark.api.java.function.MapPartitionsFunction"))
        self._binary = record == "BINARY"

    def read(self, records: Sequence[bytes]) -> ReadOutcome:
        """Reads records, and returns the outcome. Raises AssertionError if that takes longer than 20 seconds."""
        for file in self._aside.glob("*.jsonl"):
            file.unlink()
        ids = _in_time(lambda: self._ids(records))
        return ReadOutcome(ids, sum(int(file.stem.rsplit("-", 1)[1]) for file in self._aside.glob("*.jsonl")))

    def _ids(self, records: Sequence[bytes]) -> list[int | None]:
        jpype = _jpype()
        array, text = jpype.JArray(jpype.JByte), _load("org.apache.spark.unsafe.types.UTF8String")
        row, cells = _load("org.apache.spark.sql.catalyst.expressions.GenericInternalRow"), jpype.JArray(jpype.JObject)
        rows, source, place = _java("java.util.ArrayList")(), text.fromString("topic/0"), _java("java.lang.Long")(0)
        for record in records:
            value = array(record)
            rows.add(row(cells([value if self._binary else text.fromBytes(value), source, place, None])))
        found = self._reader.call(rows.iterator())
        ids: list[int | None] = []
        while found.hasNext():
            one = found.next()
            ids.append(None if one.isNullAt(0) else int(one.getInt(0)))
        return ids


def _in_time(work: Callable[[], Any]) -> Any:
    """Returns the value of `work`, computed in a thread of its own: one that never ends is abandoned."""
    done: list[Any] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    if faults:
        raise AssertionError(f"The reader failed: {faults[0]}") from faults[0]
    assert done, f"The reader has not come back within {_PATIENCE:.0f} s"
    return done[0]


def _jpype() -> Any:
    import jpype

    from rowtime.jvm.jpype import planner

    planner()
    return jpype


def _java(name: str) -> Any:
    return _jpype().JClass(name)


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Returns a loader for classes of Spark and ours: the JVM of the planner has no Spark."""
    import pyspark

    from rowtime.jvm.jars import jar_files

    jars = [*jar_files("app"), *(Path(pyspark.__file__).parent / "jars").glob("*.jar")]
    quiet = [jar for jar in jars if not jar.name.startswith("log4j-slf4j")]
    urls = [_java("java.io.File")(str(jar)).toURI().toURL() for jar in quiet]
    parent = _java("java.lang.ClassLoader").getPlatformClassLoader()
    return _java("java.net.URLClassLoader")(_jpype().JArray(_java("java.net.URL"))(urls), parent)


@lru_cache(maxsize=32)
def _load(name: str) -> Any:
    return _jpype().JClass(_loader().loadClass(name))


def _constructor(name: str) -> Any:
    """Returns the constructor of a class that is not public."""
    (made,) = _loader().loadClass(name).getDeclaredConstructors()
    made.setAccessible(True)
    return made.newInstance
