"""The ledger of a pump from a source of any kind: each record that was sent has entered, was late, or was invalid."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from queries import eventually

from rowtime.session import Session

DAY = "2015-02-15"
FAR = "9999-12-31T23:59:59-12:00"
"""A time of day 10:00 … is on DAY; this one is outside the years 1 to 9999."""
_LATEST_MICROS = 4_000_000_000_000_000_000
UNREADABLE = "x"
"""Instead of a number: a text that is not a number, or not a record at all."""

Record = tuple[str, int | str | None]
Send = Callable[[Sequence[Record]], int]
"""Sends records, one step at a time; returns how many of them the source has refused."""


@dataclass(frozen=True)
class Source:
    """A source of records: the options of its foreign stream, and how to send.

    `typed`: it contains only numbers, nothing unreadable. `timed`: its records contain their times, and may have no
    value. `column` is the type of N, and `killed` is called while no pump runs.
    """

    options: str
    send: Send
    typed: bool = False
    timed: bool = True
    column: str = "INT"
    killed: Callable[[], None] = lambda: None


def moment(time: str) -> str:
    return time if time == FAR else f"{DAY} {time}:00"


def micros(time: str) -> int:
    """Since 1970."""
    if time == FAR:
        return _LATEST_MICROS
    return int(dt.datetime.fromisoformat(f"{DAY}T{time}:00+00:00").timestamp()) * 1_000_000


def csv_line(record: Record) -> str:
    time, n = record
    return f"{moment(time)},{'' if n is None else n}"


def json_line(record: Record) -> str:
    return json.dumps({"ROWTIME": moment(record[0]), "N": record[1]})


def raw(record: Record) -> bytes | None:
    """Returns the number as text; an unreadable one is not UTF-8."""
    n = record[1]
    return None if n is None else b"\xff" if n == UNREADABLE else str(n).encode()


def check_ledger(rt: Session, source: Source) -> None:
    """Checks that the status of a pump and the stream account for each record, also after a restart."""
    rt.sql(f"CREATE FOREIGN STREAM source (n {source.column} NOT NULL) OPTIONS ({source.options})")
    rt.sql(f"CREATE STREAM ledger (n {source.column})")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO ledger SELECT STREAM rowtime, n FROM source")
    sent = refused = 0

    def send(*records: Record) -> None:
        nonlocal sent, refused
        refused += source.send(records)
        sent += len(records)

    def counted() -> tuple[int, int, int, str | None]:
        (status,) = rt.pumps
        return rt.log("LEDGER").state().entered, status.late_rows, status.bad_rows + refused, status.error

    def expect(entered: int, late: int, invalid: int) -> None:
        assert entered + late + invalid == sent
        if not source.timed:
            # The time of each record is that of its arrival.
            entered, late = entered + late, 0

        def there() -> bool:
            rt.runtime.settle([])
            return sum(counted()[:3]) >= sent

        # The other reason says more than that the time is out of range.
        with contextlib.suppress(AssertionError):
            eventually(there, 90)
        assert counted() == (entered, late, invalid, None)

    send(("10:00", 1), ("10:10", 2))
    expect(2, 0, 0)
    # Out of range, NULL if that is not allowed, and unreadable records.
    invalid: list[Record] = [(FAR, 4), ("10:20", None)] if source.timed else []
    if not source.typed:
        invalid.append(("10:20", UNREADABLE))
    send(("10:05", 3), *invalid, ("10:30", 5))
    expect(3, 1, len(invalid))
    rt.runtime.pumps.kill()
    source.killed()
    rt.runtime.pumps.restart()
    send(("10:25", 6), ("10:40", 7))
    expect(4, 2, len(invalid))
