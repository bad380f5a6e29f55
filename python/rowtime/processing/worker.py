"""The worker that runs a table function in Python alongside the operator in Spark's JVM.

The first message says what to run. Each further request contains some partitions, with their saved state, and their
rows as an Arrow batch; the answer contains their state and the emitted rows. The worker keeps nothing between requests,
so any worker can answer. All numbers are 8 bytes, big-endian; a frame is its length and that many bytes.
"""

from __future__ import annotations

import json
import os
import pickle
from base64 import b64decode
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from rowtime.functions import is_time, row_writer
from rowtime.plan.types import SqlType, parse_type
from rowtime.processing.partition import FunctionFailure, Kept, Runner
from rowtime.types.columns import arrow_type


def main() -> None:
    """Answers requests until there are no more. Output that the function prints goes to stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    told, arguments = json.loads(_frame(requests)), _frame(requests)
    worker, reason = None, ""
    try:
        worker = Worker(told, arguments)
    except Exception as fault:
        # The error goes to whoever made the request.
        reason = _failure_message(told, fault)
    while True:
        try:
            states, rows = _frame(requests), _frame(requests)
        except EOFError:
            return
        try:
            parts = worker.answer(states, rows) if worker is not None else None
        except FunctionFailure as fault:
            reason, parts = str(fault), None
        except Exception as fault:
            # A value that no column of its type can have, or a state that cannot be pickled.
            reason, parts = _failure_message(told, fault), None
        answers.write(b"\1" if parts is None else b"\0")
        for part in (reason.encode(),) if parts is None else parts:
            _write(answers, part)
        answers.flush()


def _failure_message(told: dict[str, Any], fault: Exception) -> str:
    """Returns the message of a failed function, in the same form for all functions; see `rowtime.runtime.faults`."""
    return " ".join(f"Function '{told['function']}' failed: {type(fault).__name__}: {fault}".split())


class Worker:
    """Runs one function. `arguments` is an Arrow stream of one row, or empty."""

    def __init__(self, told: dict[str, Any], arguments: bytes) -> None:
        function = pickle.loads(b64decode(told["code"]))
        row = parse_type(told["row"])
        self._results = pa.schema(
            [("partition", pa.int64()), ("rowtime", pa.int64())]
            + [(f"c{i}", _result_type(t)) for i, t in enumerate(row.arguments)]
        )
        self._keys: list[str] = told["keys"]
        self._columns: list[str] = told["columns"]
        self._state_ttl: int | None = told["stateTtl"]
        parameters = [name.upper() for name in told["parameters"]]
        args = next(_rows(_batch(arguments), parameters, timed=False))[1] if arguments else ()
        self._runner = Runner(
            told["function"],
            function,
            self._columns,
            dict(zip(parameters, args, strict=True)),
            row_writer(row),
            delay=told["delay"],
            state_ttl=self._state_ttl,
        )

    def answer(self, states: bytes, rows: bytes) -> tuple[bytes, bytes]:
        """Returns two Arrow batches: for each partition its state and its next due bound; and the emitted rows."""
        partitions = _batch(states)
        events = _rows(_batch(rows), self._columns) if rows else iter(())
        keys = list(_rows(partitions.drop_columns(["state", "bound", "rows"]), self._keys, timed=False))
        kept_states, dues = [], []
        found: list[tuple[Any, ...]] = []
        given = zip(
            partitions["state"].to_pylist(),
            partitions["bound"].to_pylist(),
            partitions["rows"].to_pylist(),
            strict=True,
        )
        for number, (saved, bound, count) in enumerate(given):
            kept = Kept.from_bytes(saved)
            key = dict(zip(self._keys, keys[number][1], strict=True)) if self._keys else {}
            its = (next(events) for _ in range(count))
            self._runner.run(kept, key, its, bound, lambda at, row, n=number: found.append((n, at, *row)))  # type: ignore[misc]
            kept_states.append(kept.to_bytes())
            dues.append(kept.due(self._state_ttl))
        first = pa.record_batch(
            [pa.array(kept_states, pa.binary()), pa.array(dues, pa.int64())], names=["state", "due"]
        )
        columns: Sequence[Sequence[Any]] = list(zip(*found, strict=True)) or [()] * len(self._results)
        arrays = [pa.array(values, f.type) for values, f in zip(columns, self._results, strict=True)]
        second = pa.record_batch(arrays, schema=self._results)
        return first.serialize().to_pybytes(), second.serialize().to_pybytes()


def _result_type(type_: SqlType) -> pa.DataType:
    """Returns the Arrow type of a result column. Times are in microseconds, see `row_writer`."""
    if is_time(type_):
        return pa.int64()
    return pa.duration("us") if type_.is_day_time else arrow_type(type_)


def _batch(stream: bytes) -> pa.Table:
    with pa.ipc.open_stream(stream) as reader:
        return reader.read_all()


def _rows(table: pa.Table, names: Sequence[str], *, timed: bool = True) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yields the rows as Python values, each with its time, the last column, in microseconds."""
    columns = [_values(column) for column in table.columns[: len(names)]]
    times: Any = table.columns[len(names)].to_pylist() if timed and table.num_columns > len(names) else [0] * len(table)
    return zip(times, zip(*columns, strict=True) if columns else [()] * len(table), strict=True)


def _values(column: pa.ChunkedArray) -> list[Any]:
    if pa.types.is_timestamp(column.type):
        # In UTC, without a zone.
        return list(column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()).cast(pa.timestamp("us")).to_pylist())
    if pa.types.is_time(column.type):
        return list(column.cast(pa.time64("us")).to_pylist())
    return list(column.to_pylist())


def _frame(source: BinaryIO) -> bytes:
    size = source.read(8)
    if len(size) < 8:
        raise EOFError
    return source.read(int.from_bytes(size, "big"))


def _write(answers: BinaryIO, part: bytes) -> None:
    answers.write(len(part).to_bytes(8, "big"))
    answers.write(part)


if __name__ == "__main__":
    main()
