"""The ledger of a pump from each kind of source: what was sent has entered, was late, or was invalid."""

from __future__ import annotations

import datetime as dt
import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake
from queries import eventually

from rowtime.session import Session

DAY = "2015-02-15"
FAR = "9999-12-31T23:59:59-12:00"
"""A time of day 10:00 … is of DAY; this one lies outside the years 1 to 9999."""
LATEST_MICROS = 4_000_000_000_000_000_000

Record = tuple[str, int | str | None]
Send = Callable[[Sequence[Record]], int]
"""Sends records, a step at a time; returns how many of them the source has refused to their sender."""


def moment(time_: str) -> str:
    return time_ if "-" in time_ else f"{DAY} {time_}:00"


@pytest.fixture
def closing() -> Iterator[list[socket.socket]]:
    sockets: list[socket.socket] = []
    yield sockets
    for one in sockets:
        one.close()


def lines_of(form: str, records: Sequence[Record]) -> str:
    rows = [(moment(time_), n) for time_, n in records]
    if form == "csv":
        return "".join(f"{time_},{'' if n is None else n}\n" for time_, n in rows)
    return "".join(json.dumps({"ROWTIME": time_, "N": n}) + "\n" for time_, n in rows)


def table_of(records: Sequence[Record]) -> pa.Table:
    def micros(time_: str) -> int:
        if time_ == FAR:
            return LATEST_MICROS
        return int(dt.datetime.fromisoformat(f"{DAY}T{time_}:00+00:00").timestamp()) * 1_000_000

    times = pa.array([micros(time_) for time_, _ in records], pa.timestamp("us", "UTC"))
    return pa.table({"ROWTIME": times, "N": pa.array([n for _, n in records], pa.int32())})


def files(form: str) -> Callable[..., tuple[str, Send]]:
    def made(folder: Path, _: list[socket.socket]) -> tuple[str, Send]:
        folder.mkdir()

        def send(records: Sequence[Record]) -> int:
            half, name = folder.parent / "half", f"{len(list(folder.iterdir())):03}.{form}"
            if form == "parquet":
                pq.write_table(table_of(records), half)
            else:
                half.write_text(lines_of(form, records))
            half.rename(folder / name)
            return 0

        header = ", header 'false'" if form == "csv" else ""
        return f"connector 'files', path '{folder}', format '{form}'{header}", send

    return made


def delta(folder: Path, _: list[socket.socket]) -> tuple[str, Send]:
    def send(records: Sequence[Record]) -> int:
        write_deltalake(folder, table_of(records), mode="append")
        return 0

    write_deltalake(folder, table_of([]))
    return f"connector 'delta', path '{folder}'", send


def wire(_: Path, closing: list[socket.socket]) -> tuple[str, Send]:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(60)
    closing.append(listener)
    clients: list[socket.socket] = []

    def send(records: Sequence[Record]) -> int:
        # Whoever was restarted has connected anew.
        listener.settimeout(0.5 if clients else 60)
        try:
            clients.append(listener.accept()[0])
            closing.append(clients[-1])
        except TimeoutError:
            pass
        clients[-1].sendall(lines_of("csv", records).encode())
        return 0

    return f"connector 'socket', host '127.0.0.1', port '{listener.getsockname()[1]}', format 'csv'", send


def webhook(_: Path, __: list[socket.socket]) -> tuple[str, Send]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])

    def post(record: Record) -> int:
        deadline = time.monotonic() + 60
        # Some address of its own for each: a request that is sent again is taken once.
        key = f"{time.monotonic_ns()}"
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            headers = {"Authorization": "Bearer words", "Idempotency-Key": key}
            try:
                connection.request("POST", "/", json.dumps({"ROWTIME": moment(record[0]), "N": record[1]}), headers)
                return connection.getresponse().status
            except (OSError, http.client.HTTPException):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            finally:
                connection.close()

    def send(records: Sequence[Record]) -> int:
        statuses = [post(record) for record in records]
        assert set(statuses) <= {200, 400}
        return statuses.count(400)

    return f"connector 'python', class 'rowtime.adapters.webhook:Webhook', port '{port}', token 'words'", send


KINDS = {"json": files("json"), "csv": files("csv"), "parquet": files("parquet"), "delta": delta, "socket": wire,
         "webhook": webhook}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_ledger_of_a_pump(rt: Session, tmp_path: Path, kind: str, closing: list[socket.socket]) -> None:
    """`pump list` and the stream say what became of each record, also after a restart."""
    options, send = KINDS[kind](tmp_path / "source", closing)
    rt.sql(f"CREATE FOREIGN STREAM source (n INT NOT NULL) OPTIONS ({options})")
    rt.sql("CREATE STREAM ledger (n INT)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO ledger SELECT STREAM rowtime, n FROM source")
    refused = 0

    def counted() -> tuple[int, int, int, str | None]:
        (status,) = rt.pumps
        return rt.log("LEDGER").state().entered, status.late_rows, status.bad_rows + refused, status.error

    def expect(entered: int, late: int, invalid: int) -> None:
        def there() -> bool:
            rt.runtime.settle([])
            return sum(counted()[:3]) >= entered + late + invalid

        eventually(there, 90)
        assert counted() == (entered, late, invalid, None)

    refused += send([("10:00", 1), ("10:10", 2)])
    expect(2, 0, 0)
    # Late, out of range, NULL where there must be none, and, where the source has no types, not a number.
    untyped = kind not in ("parquet", "delta")
    refused += send([("10:05", 3), (FAR, 4), ("10:20", None), *([("10:20", "x")] if untyped else []), ("10:30", 5)])
    invalid = 3 if untyped else 2
    expect(3, 1, invalid)
    rt.runtime.pumps.kill()
    rt.runtime.pumps.restart()
    refused += send([("10:25", 6), ("10:40", 7)])
    expect(4, 2, invalid)
