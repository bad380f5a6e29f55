"""A foreign stream with a PRIMARY KEY as the versions that the rows of another stream meet."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from queries import drain

from rowtime.session import Session

JOIN = (
    "SELECT STREAM o.id, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.rowtime AS r "
    "ON r.currency = o.currency"
)


def drop(inbox: Path, name: str, *rates: tuple[str, str, int]) -> None:
    half = inbox.parent / name
    lines = (
        f'{{"rowtime": "2024-05-01 {at}", "currency": "{currency}", "rate": {rate}}}\n' for at, currency, rate in rates
    )
    half.write_text("".join(lines))
    half.rename(inbox / name)


def test_versions_of_a_foreign_stream(rt: Session, tmp_path: Path) -> None:
    inbox = tmp_path / "rates"
    inbox.mkdir()
    rt.sql("CREATE STREAM orders (id INTEGER, currency VARCHAR(3))")
    rt.sql(
        "CREATE FOREIGN STREAM rates (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' MINUTE, "
        "currency VARCHAR(3) PRIMARY KEY, rate INTEGER) "
        f"OPTIONS (connector 'files', path '{inbox}', format 'json')"
    )
    # Versions that are there before the query are read as well, within LATENESS in any order.
    drop(inbox, "a.json", ("09:59:30", "EUR", 2), ("09:00:00", "EUR", 1), ("09:00:00", "USD", 5))
    query = rt.sql(JOIN)
    assert drain(query) == []
    orders = rt.producer("ORDERS")
    orders.insert([(dt.datetime(2024, 5, 1, 9, 30), 1, "EUR"), (dt.datetime(2024, 5, 1, 10, 1), 2, "EUR")])
    assert drain(query) == [(1, 1)]
    drop(inbox, "b.json", ("10:02:00", "USD", 6), ("10:00:30", "EUR", 3))
    # The clock of the rates is at 10:01: an order of that time may still meet another version.
    assert drain(query) == []
    orders.insert([(dt.datetime(2024, 5, 1, 10, 1, 30), 3, "GBP"), (dt.datetime(2024, 5, 1, 10, 3), 4, "USD")])
    drop(inbox, "c.json", ("10:02:31", "EUR", 4))
    assert drain(query) == [(2, 3), (3, None)]
