"""Runs an adapter in Spark's workers: converts its rows and bounds to Spark's form, and back.

Spark carries rows of one form, so a bound is also a row, with nothing but the column `_bound`. Times are in
microseconds, so they do not depend on a time zone.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.errors import PySparkNotImplementedError
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceWriter,
    InputPartition,
    WriterCommitMessage,
)
from pyspark.sql.datasource_internal import _streamReader
from pyspark.sql.streaming.datasource import ReadLimit, SupportsTriggerAvailableNow
from pyspark.sql.types import Row, StructType

from rowtime.adapters import Bound
from rowtime.limits import ASIDE_CHARACTERS, EXCERPT_BYTES
from rowtime.plan.types import SqlType
from rowtime.storage.smallfiles import write_whole
from rowtime.types.columns import Column, columns
from rowtime.types.times import to_micros
from rowtime.types.values import BadValue, from_stored, to_stored

BOUND = "_bound"
OWN = "rowtime."
"""The prefix of rowtime's own options."""


class AdapterSource(DataSource):
    """An adapter as Spark sees it. `adapter` is the user's class; `label` is its name in messages. The adapter gets the
    columns by name, in Spark's types."""

    adapter: ClassVar[type[DataSource]]
    label: ClassVar[str]

    def __init__(self, options: Mapping[str, str]) -> None:
        self._columns = columns(json.loads(options[f"{OWN}columns"]))
        self._aside = options.get(f"{OWN}bad_rows")
        self._schema = StructType.fromJson(json.loads(options[f"{OWN}schema"]))
        self._beginning = options.get(f"{OWN}beginning")
        own = (f"{OWN}schema", f"{OWN}bad_rows", f"{OWN}beginning")
        given = {name: value for name, value in options.items() if name not in own}
        with _AdapterErrors(self.label):
            self._made = self.adapter(given)

    @classmethod
    def name(cls) -> str:
        return f"rowtime_{hashlib.sha256(cls.label.encode()).hexdigest()[:16]}"

    def reader(self, schema: StructType) -> DataSourceReader:
        with _AdapterErrors(self.label):
            return _Reader(self._made.reader(self._schema), self._rows(), self.label)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        with _AdapterErrors(self.label):
            inner = _streamReader(self._made, self._schema)
        kind = _AvailableNow if isinstance(inner, SupportsTriggerAvailableNow) else _StreamReader
        return kind(inner, self._rows(), self.label, self._beginning)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        takes = bool(getattr(self.adapter, "takes_bounds", False))
        with _AdapterErrors(self.label):
            return _Writer(self._made.writer(self._schema, overwrite), self._columns, takes, self.label)

    def last_batch(self) -> int | None:
        """Returns the last batch of the writer that the options name; only for adapters that have the method."""
        with _AdapterErrors(self.label):
            found = self._made.last_batch()  # type: ignore[attr-defined]
            return None if found is None else int(found)

    def _rows(self) -> _Rows:
        return _Rows(self._columns, self._aside)


def wire_type(sql: SqlType) -> str | None:
    """Returns Spark's type for values of a column; None if they cannot be transferred."""
    if sql.name in ("TIMESTAMP", "TIME") or sql.is_day_time:
        return "BIGINT"
    if sql.is_year_month:
        return "INT"
    if any(part.name in ("TIMESTAMP", "TIME") or part.is_interval for part in _parts(sql)):
        return None
    return sql.spark()


def _parts(sql: SqlType) -> Iterator[SqlType]:
    for part in sql.arguments:
        yield part
        yield from _parts(part)


class _AdapterErrors:
    """Reports every exception in an adapter as the adapter's, on one line."""

    def __init__(self, label: str) -> None:
        self._label = label

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if isinstance(fault, Exception) and not isinstance(fault, _AdapterError):
            if isinstance(fault, PySparkNotImplementedError):
                reason = "it does not support this: " + str(fault).split("] ", 1)[-1]
            else:
                reason = f"{type(fault).__name__}: {fault}"
            raise _AdapterError(f"Adapter '{self._label}' failed: {' '.join(reason.split())}") from None


class _AdapterError(RuntimeError):
    pass


class _Rows:
    """Converts rows of an adapter to Spark's form."""

    def __init__(self, named: Sequence[Column], aside: str | None) -> None:
        self._columns = named
        self._aside = aside

    def to_spark(self, rows: Iterable[Any], partition: object) -> Iterator[tuple[Any, ...]]:
        nothing = (None,) * len(self._columns)
        bad: list[dict[str, str]] = []
        count = kept = 0
        for row in _single_rows(rows):
            if isinstance(row, Bound):
                yield (*nothing, to_micros(row.time))
                continue
            try:
                yield (*self._row_values(row), None)
            except BadValue as fault:
                count += 1
                if kept < ASIDE_CHARACTERS:
                    bad.append({"record": _excerpt(row), "reason": str(fault)})
                    kept += len(bad[-1]["record"]) + len(bad[-1]["reason"])
        if bad and self._aside is not None:
            if count > len(bad):
                bad.append({"reason": f"{count - len(bad):,} more records, which were only counted"})
            # The same rows have the same file name when they are read again, so they count once.
            name = hashlib.sha256(pickle.dumps((partition, bad))).hexdigest()[:32]
            text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in bad)
            write_whole(Path(self._aside) / f"adapter-{name}-{count}.jsonl", text.encode("utf-8", "replace"))

    def _row_values(self, row: Any) -> Iterator[Any]:
        if isinstance(row, Row) and hasattr(row, "__fields__"):
            row = row.asDict()
        if isinstance(row, Mapping):
            folded = {str(name).upper(): value for name, value in row.items()}
            values = [row[c.name] if c.name in row else folded.get(c.name.upper()) for c in self._columns]
        elif isinstance(row, list | tuple) and len(row) == len(self._columns):
            values = list(row)
        else:
            raise BadValue(f"not a row of {len(self._columns)} columns")
        return (_plain(to_stored(value, c), c.type) for value, c in zip(values, self._columns, strict=True))


def _single_rows(rows: Iterable[Any]) -> Iterator[Any]:
    for row in rows:
        if isinstance(row, pa.RecordBatch):
            yield from row.to_pylist()
        else:
            yield row


def _excerpt(row: Any) -> str:
    """Returns the text of the row that is set aside, cut if it is long."""
    try:
        return repr(row)[:EXCERPT_BYTES]
    except Exception:
        return f"a {type(row).__name__}"


def _plain(value: Any, sql: SqlType) -> Any:
    return dict(value) if sql.name == "MAP" and value is not None else value


class _Reader(DataSourceReader):
    def __init__(self, inner: DataSourceReader, rows: _Rows, label: str) -> None:
        self._inner, self._rows, self._label = inner, rows, label

    def partitions(self) -> Sequence[InputPartition]:
        with _AdapterErrors(self._label):
            return self._inner.partitions()

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        with _AdapterErrors(self._label):
            yield from self._rows.to_spark(self._inner.read(partition), partition)


class _StreamReader(DataSourceStreamReader):
    """Reads a stream. `beginning` is the initial offset as JSON, if it was read when the query was opened."""

    def __init__(self, inner: DataSourceStreamReader, rows: _Rows, label: str, beginning: str | None) -> None:
        self._inner, self._rows, self._label, self._beginning = inner, rows, label, beginning

    def initialOffset(self) -> dict[str, Any]:
        if self._beginning is not None:
            return json.loads(self._beginning)  # type: ignore[no-any-return]
        with _AdapterErrors(self._label):
            return self._inner.initialOffset()

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        import inspect

        with _AdapterErrors(self._label):
            latest: Callable[..., dict[str, Any]] = self._inner.latestOffset
            return latest(start, limit) if inspect.signature(latest).parameters else latest()

    def getDefaultReadLimit(self) -> ReadLimit:
        with _AdapterErrors(self._label):
            return self._inner.getDefaultReadLimit()

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        with _AdapterErrors(self._label):
            return self._inner.partitions(start, end)

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        with _AdapterErrors(self._label):
            yield from self._rows.to_spark(self._inner.read(partition), partition)

    def commit(self, end: dict[str, Any]) -> None:
        with _AdapterErrors(self._label):
            self._inner.commit(end)

    def stop(self) -> None:
        with _AdapterErrors(self._label):
            self._inner.stop()


class _AvailableNow(_StreamReader, SupportsTriggerAvailableNow):
    def prepareForTriggerAvailableNow(self) -> None:
        with _AdapterErrors(self._label):
            self._inner.prepareForTriggerAvailableNow()  # type: ignore[attr-defined]


class _Writer(DataSourceWriter):
    """Writes rows. `takes`: whether the adapter wants bounds."""

    def __init__(self, inner: DataSourceWriter, named: Sequence[Column], takes: bool, label: str) -> None:
        self._inner, self._columns, self._takes, self._label = inner, named, takes, label

    def write(self, iterator: Iterator[Row]) -> WriterCommitMessage:
        with _AdapterErrors(self._label):
            return self._inner.write(self._to_adapter(iterator))

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        with _AdapterErrors(self._label):
            self._inner.commit(messages)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        with _AdapterErrors(self._label):
            self._inner.abort(messages)

    def _to_adapter(self, rows: Iterator[Row]) -> Iterator[Any]:
        make = Row(*[column.name for column in self._columns])
        for row in rows:
            *values, bound = row
            if bound is None:
                yield make(*[from_stored(value, c) for value, c in zip(values, self._columns, strict=True)])
            elif self._takes:
                yield Bound(dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=bound))
