"""The field's test of internal consistency: transfers between accounts, whose balances always add up to 0.

The credits and the debits of each account are two aggregates of one stream, a balance is made of both by an outer join,
and the total of all balances is one row, which changes. Each total that is not 0 is one that the inputs never had:
half of a transfer. rowtime and Flink SQL read the same transfers, which are out of order, several at the same time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import events
import flink
import jobs
from nexmark import DATA, equal
from printing import say

if TYPE_CHECKING:
    from rowtime.session import Session

TRANSFERS = 1_000_000
STREAMS = ("transfer",)
BALANCES = (
    "SELECT COALESCE(C.account, D.account) AS account, COALESCE(C.amount, 0) - COALESCE(D.amount, 0) AS balance "
    "FROM (SELECT target AS account, SUM(amount) AS amount FROM transfer WHERE target >= 0 GROUP BY target) AS C FULL JOIN "
    "(SELECT source AS account, SUM(amount) AS amount FROM transfer WHERE source >= 0 GROUP BY source) AS D "
    "ON C.account = D.account"
)
TOTAL = f"SELECT SUM(balance) AS total FROM ({BALANCES}) AS B"


def measure(*, brief: bool) -> None:
    """Prints how many totals each gives, and how many of them are wrong, once the balances are equal."""
    count = TRANSFERS // (10 if brief else 1)
    found = events.write_events(DATA / f"transfers-{count}", count, STREAMS)
    print(f"internal consistency: {found.rows['transfer']:,} transfers, totals of all balances")
    with jobs.session() as rt, flink.running() as other:
        sums = {"rowtime": _changes(rt, BALANCES, found).sums}
        if other is not None:
            query = flink.Query("account BIGINT, balance BIGINT", BALANCES)
            sums["Flink"] = lambda: other.sums(query, found.readers, batch=True)
        say("accounts, equal from all", f"{equal(sums):,}")
        _say("rowtime, a micro-batch for each file of 0.1 M rows", *_changes(rt, TOTAL, found).output(totals))
        if other is not None:
            text = f"WITH totals AS ({TOTAL}) SELECT op, total FROM TO_CHANGELOG(input => TABLE totals)"
            for name, settings in flink.CONFIGURATIONS.items():
                query = flink.Query("op STRING, total BIGINT", text)
                _say(name, *other.output(query, found.readers, totals, settings))
    print(flush=True)


def _changes(rt: Session, text: str, found: events.Events) -> jobs.Job:
    return jobs.of_sql(rt, f"SELECT STREAM op, payload.* FROM TO_CHANGELOG(({text}))", found.slices, 1, STREAMS)


def totals(folder: str) -> tuple[int, int]:
    """Returns how many totals come, and how many of them are not 0. What is taken back came before."""
    import pyarrow.dataset as ds

    rows = ds.dataset(folder, format="parquet").to_table()
    ops, values = rows.column(0).to_pylist(), rows.column(1).to_pylist()
    came = [value for op, value in zip(ops, values, strict=True) if op in (0, 2, "+I", "+U", "INSERT", "UPDATE_AFTER")]
    return len(came), sum(value != 0 for value in came)


def _say(name: str, came: int, wrong: int) -> None:
    say(name, f"{came:,} {'total' if came == 1 else 'totals'}, {wrong:,} of them wrong")
