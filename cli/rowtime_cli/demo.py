"""`rowtime demo`: a complete example. Order files arrive in a folder, and a streaming query returns hourly totals."""

from __future__ import annotations

import datetime as dt
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from rowtime.query_plan import Plan
    from rowtime.runtime.query.query import Query

START = dt.datetime(2024, 5, 1, 8, 0)
FILE_EVERY = 0.5  # seconds; each file has a quarter of an hour, so that is half an hour per second
NARROW = 120  # columns of a terminal; if it has fewer, results are below the plan

STREAM = """\
CREATE FOREIGN STREAM orders (
    rowtime   TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' MINUTE,
    productId INTEGER,
    orderId   BIGINT,
    units     INTEGER
) OPTIONS (connector 'files', path '{path}', format 'json')"""

QUERY = """\
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS orders, SUM(units) AS units
FROM orders
GROUP BY FLOOR(rowtime TO HOUR), productId"""


def command(
    seconds: Annotated[float, typer.Option(help="How many seconds files keep arriving.", min=1)] = 30.0,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the order files and the warehouse in this new folder.")
    ] = None,
) -> None:
    """Run a demonstration: a streaming query computes hourly totals of orders that arrive as files. Ends by itself."""
    if keep is not None:
        from rowtime.errors import Diagnostic
        from rowtime_cli.faults import WrongCommandLine

        if keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
            raise WrongCommandLine(Diagnostic(code="RT0622", message=f"'{keep}' exists already and is not empty"))
        keep.mkdir(parents=True, exist_ok=True)
        _demo(keep.absolute(), seconds)
        return
    with tempfile.TemporaryDirectory(prefix="rowtime-demo-", ignore_cleanup_errors=True) as folder:
        _demo(Path(folder), seconds)


def _demo(folder: Path, seconds: float) -> None:
    from rich.console import Console

    import rowtime

    console = Console(highlight=False, soft_wrap=True)
    inbox = folder / "orders"
    inbox.mkdir(exist_ok=True)
    stream = STREAM.format(path=str(inbox).replace("'", "''"))
    console.print(f"{stream};\n\n{QUERY};\n", markup=False)
    console.print("Starting Spark …", style="dim")
    with rowtime.connect(warehouse=folder / "warehouse", catalog="") as session:
        session.sql(stream.replace("CREATE FOREIGN", "CREATE OR REPLACE FOREIGN", 1))
        plan = session.plan(QUERY)
        query = session.submit(plan)
        arrivals = _Arrivals(inbox)
        arrivals.start()
        try:
            show = _live if console.is_terminal else _lines
            rows = show(console, plan, query, arrivals, time.monotonic() + seconds)
        finally:
            arrivals.stop()
            query.stop()
    _summary(rows, arrivals)


class _Arrivals(threading.Thread):
    """Writes the order files, one after another, until it is stopped."""

    def __init__(self, inbox: Path) -> None:
        super().__init__(name="rowtime-demo-orders", daemon=True)
        self.files = 0
        self.orders = 0
        self._inbox = inbox
        self._stop_now = threading.Event()

    def run(self) -> None:
        from rowtime_cli.orders import batches, write

        for orders in batches(START):
            if self._stop_now.is_set():
                return
            write(self._inbox, self.files + 1, orders)
            self.files += 1
            self.orders += len(orders)
            self._stop_now.wait(FILE_EVERY)

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


def _follow(query: Query, arrivals: _Arrivals, until: float, on_rows: Callable[[list[Any]], None]) -> list[Any]:
    """Passes rows on as they are emitted, until the time is over and all input is processed."""
    rows: list[Any] = []

    def take() -> None:
        new = query.rows()
        rows.extend(new)
        on_rows(new)

    while time.monotonic() < until:
        take()
        time.sleep(0.2)
    arrivals.stop()
    query.process_all_available()
    take()
    return rows


def _live(console: Console, plan: Plan, query: Query, arrivals: _Arrivals, until: float) -> list[Any]:
    """On a terminal: shows the results next to the plan, and the progress on a line below."""
    from rich.console import Group
    from rich.live import Live
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    explained = Panel(Text(plan.explain(), no_wrap=True, overflow="ellipsis"), title="plan")
    shown: list[Any] = []

    def layout() -> RenderableType:
        height = max(console.height - (12 if console.width >= NARROW else 32), 5)
        table = Table(expand=True, box=None)
        for field in plan.fields:
            table.add_column(field.name, justify="left" if field.name == "ROWTIME" else "right")
        for row in shown[-height:]:
            table.add_row(*(str(value) for value in row))
        results = Panel(table, title="hourly totals, as each hour ends")
        progress = query.progress
        line = (
            f"{arrivals.files} files, {arrivals.orders} orders in · {progress.rows_per_second:,.0f} rows/s · "
            f"complete up to {(progress.rowtime or '…').replace('T', ' ')} · {len(shown)} rows out"
        )
        if console.width < NARROW:
            return Group(explained, results, Text(line, style="dim"))
        side_by_side = Table.grid(expand=True, padding=(0, 1))
        side_by_side.add_column(ratio=2)
        side_by_side.add_column(ratio=3)
        side_by_side.add_row(results, explained)
        return Group(side_by_side, Text(line, style="dim"))

    with Live(layout(), console=console, refresh_per_second=4) as live:

        def on_rows(new: list[Any]) -> None:
            shown.extend(new)
            live.update(layout())

        return _follow(query, arrivals, until, on_rows)


def _lines(console: Console, plan: Plan, query: Query, arrivals: _Arrivals, until: float) -> list[Any]:
    """Otherwise: prints the plan first, then a line for each row as it is emitted."""
    print(f"{plan.explain()}\n", flush=True)
    names = [field.name for field in plan.fields]
    print(f"{names[0]:<19}  " + "  ".join(f"{name:>9}" for name in names[1:]), flush=True)

    def on_rows(new: list[Any]) -> None:
        for row in new:
            print(f"{row[0]!s:<19}  " + "  ".join(f"{value!s:>9}" for value in row[1:]), flush=True)

    return _follow(query, arrivals, until, on_rows)


def _summary(rows: list[Any], arrivals: _Arrivals) -> None:
    hours = len({row[0] for row in rows})
    print(
        f"\n{arrivals.orders} orders in {arrivals.files} files became {len(rows)} totals of {hours} hours. "
        "The hours that were not over yet have no totals: more orders could have come.",
        flush=True,
    )
