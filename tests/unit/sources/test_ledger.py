"""The ledger of a pump from each kind of source. That of topics is in tests/kafka."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake
from socket_server import Server
from source_ledger import Record, Source, check_ledger, csv_line, json_line, micros, moment, raw
from webhook_client import TOKEN, Client

from rowtime.session import Session


def table_of(records: Sequence[Record]) -> pa.Table:
    times = pa.array([micros(time) for time, _ in records], pa.timestamp("us", "UTC"))
    return pa.table({"ROWTIME": times, "N": pa.array([n for _, n in records], pa.int32())})


def files(form: str) -> Callable[[Path], AbstractContextManager[Source]]:
    @contextmanager
    def made(folder: Path) -> Iterator[Source]:
        folder.mkdir()

        def send(records: Sequence[Record]) -> int:
            half, name = folder.parent / "half", f"{len(list(folder.iterdir())):03}.{form}"
            if form == "parquet":
                pq.write_table(table_of(records), half)
            else:
                line = csv_line if form == "csv" else json_line
                half.write_text("".join(line(record) + "\n" for record in records))
            half.rename(folder / name)
            return 0

        header = ", header 'false'" if form == "csv" else ""
        yield Source(f"connector 'files', path '{folder}', format '{form}'{header}", send, typed=form == "parquet")

    return made


@contextmanager
def delta(folder: Path) -> Iterator[Source]:
    def send(records: Sequence[Record]) -> int:
        write_deltalake(folder, table_of(records), mode="append")
        return 0

    write_deltalake(folder, table_of([]))
    yield Source(f"connector 'delta', path '{folder}'", send, typed=True)


def wire(form: str) -> Callable[[Path], AbstractContextManager[Source]]:
    @contextmanager
    def made(_: Path) -> Iterator[Source]:
        with closing(Server()) as server:

            def send(records: Sequence[Record]) -> int:
                server.send(*[{"csv": csv_line, "json": json_line, "raw": raw}[form](each) or "" for each in records])
                return 0

            options = f"connector 'socket', host '127.0.0.1', port '{server.port}', format '{form}'"
            column = "VARCHAR" if form == "raw" else "INT"
            yield Source(options, send, timed=form != "raw", column=column, killed=server.hang_up)

    return made


@contextmanager
def webhook(_: Path) -> Iterator[Source]:
    client = Client()

    def send(records: Sequence[Record]) -> int:
        statuses = [client.post({"ROWTIME": moment(time), "N": n})[0] for time, n in records]
        assert set(statuses) <= {200, 400}
        return statuses.count(400)

    options = f"class 'rowtime.adapters.webhook:Webhook', port '{client.port}', token '{TOKEN}'"
    yield Source(f"connector 'python', {options}", send)


KINDS = {
    **{form: files(form) for form in ("json", "csv", "parquet")},
    "delta": delta,
    **{f"socket {form}": wire(form) for form in ("csv", "json", "raw")},
    "webhook": webhook,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_ledger_of_a_pump(rt: Session, tmp_path: Path, kind: str) -> None:
    with KINDS[kind](tmp_path / "source") as source:
        check_ledger(rt, source)
