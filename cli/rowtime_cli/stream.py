"""`rowtime stream`: the named streams of a warehouse, and the tables with an order: bounds, producers, late rows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowtime.lexical.identifiers import folded
from rowtime.terminal import printable
from rowtime_cli.catalogs import open_store, print_json, print_table
from rowtime_cli.faults import WrongCommandLine
from rowtime_cli.parameters import AnswerFormat, Catalog, Warehouse
from rowtime_cli.run import RowFormat

if TYPE_CHECKING:
    from rowtime.catalog.changes import Entry
    from rowtime.catalog.store import Store
    from rowtime.streams.log import LogState, StreamLog
    from rowtime.streams.tail import Row

app = typer.Typer(help="Show named streams: rows, bounds, producers, late rows.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The stream; upper case unless in double quotes.")]
Shown = Annotated[AnswerFormat, typer.Option(help="The output format.")]


@app.command("list")
def list_streams(format: Shown = AnswerFormat.text, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """List all streams and ordered tables: rows, bound, producers, held rows, late rows, size on disk."""
    from rowtime.streams.rules import is_logged

    with open_store(warehouse, catalog, read_only=True) as store:
        found = [_summary(entry, _state(store, entry)) for entry in store.entries() if is_logged(entry)]
    if format is AnswerFormat.json:
        print_json(found)
        return
    names = ("STREAM", "KIND", "ROWS", "BOUND", "PRODUCERS", "HELD", "LATE", "BYTES")
    keys = ("name", "kind", "rows", "bound", "attached", "held", "late", "bytes")
    print_table(names, [[_json_value(one[key]) for key in keys] for one in found])


@app.command()
def show(
    name: Name,
    format: Shown = AnswerFormat.text,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Show one stream: also its producers with their bounds, the producer that holds it up, late rows by reason. Of a
    foreign stream: what pumps and queries have met in it, invalid records, late rows, and fields that no column has.

    Each row that has arrived (received) has entered (rows), was rejected (late), or is held: the numbers add up."""
    with open_store(warehouse, catalog, read_only=True) as store:
        entry = store.get(folded(name))
        if entry is not None and entry.kind == "FOREIGN STREAM":
            _show_foreign(_foreign_details(store, entry), format)
            return
        found = _details(store, _logged_entry(store, name))
    if format is AnswerFormat.json:
        print_json(found)
        return
    keys = ("name", "kind", "received", "rows", "held", "late", "first", "bound", "files", "bytes", "waits_for")
    for key in (*keys, "late_stream"):
        if found[key] is not None:
            print(f"{key.replace('_', ' '):<9} {printable(str(_json_value(found[key])))}")
    for reason, count in found["rejected"].items():
        print(f"{'rejected':<9} {count:,} {printable(reason)}")
    if found["late_fault"] is not None:
        print(f"{'fault':<9} late rows are kept nowhere: {printable(found['late_fault'])}")
    if found["producers"]:
        print()
        rows = [[p["name"], p["pump"], _json_value(p["bound"]), p["late"], p["process"]] for p in found["producers"]]
        print_table(("PRODUCER", "PUMP", "BOUND", "LATE", "PROCESS"), rows)


def _show_foreign(found: dict[str, Any], format: AnswerFormat) -> None:
    if format is AnswerFormat.json:
        print_json(found)
        return
    for key in ("name", "kind", "connector", "invalid", "late"):
        print(f"{key:<9} {printable(str(found[key]))}")
    for field, count in sorted(found["unknown_fields"].items()):
        print(f"{'unknown':<9} field {printable(field)} in {count:,} record{'' if count == 1 else 's'}")
    if found["readers"]:
        print()
        rows = [[each["name"], each["invalid"], each["late"], len(each["unknown_fields"])] for each in found["readers"]]
        print_table(("READER", "INVALID", "LATE", "UNKNOWN FIELDS"), rows)


@app.command()
def tail(
    name: Name,
    count: Annotated[int, typer.Option("-n", "--lines", min=0, help="The number of latest rows.")] = 10,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="earliest|TIMESTAMP", help="All rows that the stream holds, or those from this time."
        ),
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for more rows, until Ctrl-C.")] = False,
    format: Annotated[RowFormat, typer.Option(help="The output format of rows.")] = RowFormat.text,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Print the latest rows of a stream; with --follow, also new rows when they are committed. Does not start Spark."""
    from rowtime.streams.log import StreamLog
    from rowtime.streams.tail import Tail

    with open_store(warehouse, catalog, read_only=True) as store:
        log = StreamLog(store, _logged_entry(store, name))
        millis = _millis(begin, log)
        printed, reader = _printer(format, log), Tail(log)
        with contextlib.suppress(KeyboardInterrupt) if follow else contextlib.nullcontext():
            if begin is None:
                printed(reader.last(count))
            else:
                for rows in reader.since(millis):
                    printed(rows)
            if follow:
                for rows in reader.follow():
                    printed(rows)


def _millis(begin: str | None, log: StreamLog) -> int | None:
    """Returns the ROWTIME in --from; None for the earliest."""
    from rowtime.errors import Diagnostic
    from rowtime_cli.begin import begin_millis

    since = None if begin is None else begin_millis(begin)
    if since is None:
        return None
    if log.rowtime is None:
        message = f"'{log.name}' has no ROWTIME, so it cannot be read from a time"
        raise WrongCommandLine(Diagnostic(code="RT0623", message=message, hint="--from earliest"))
    return since


def _printer(format: RowFormat, log: StreamLog) -> Callable[[list[Row]], None]:
    """Returns a function that prints rows of the log; in JSON, one object per row."""
    from rowtime.display.printers import Columns, CsvPrinter, TextPrinter, print_objects
    from rowtime.plan.parts import Field

    fields = [Field(name=c.name, type=c.text, nullable=True, monotonicity="NOT_MONOTONIC") for c in log.columns]
    shown, text = Columns(fields), TextPrinter("", log.name)
    if format is RowFormat.json:
        return lambda rows: print_objects(shown, rows)
    if format is RowFormat.csv:
        csv = CsvPrinter(text)
        return lambda rows: csv.rows(1, 0, shown, rows)
    return lambda rows: text.table(1, None, shown, rows)


def _logged_entry(store: Store, name: str) -> Entry:
    """Returns the stream or ordered table of that name. Raises RowtimeError RT0312, RT0415."""
    from rowtime.errors import error
    from rowtime.streams.rules import is_logged

    entry = store.get(folded(name))
    if entry is None:
        raise error("RT0312", f"Object '{folded(name)}' does not exist", hint="rowtime stream list shows all")
    if not is_logged(entry):
        raise error("RT0415", f"'{entry.name}' is a {entry.kind.lower()} without a log")
    return entry


def _state(store: Store, entry: Entry) -> LogState:
    from rowtime.streams.log import StreamLog

    return _state_of(StreamLog(store, entry))


def _state_of(log: StreamLog) -> LogState:
    from rowtime.streams.log import LogState

    # A log to which nothing was ever written has no files yet, and reading creates none.
    return log.state() if (log.folder / "_delta_log").is_dir() else LogState(version=0)


def _summary(entry: Entry, state: LogState) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "rows": state.entered,
        "bound": _time(state.bound),
        "attached": len(state.producers),
        "held": state.held,
        "late": state.late,
        "bytes": state.bytes,
    }


def _details(store: Store, entry: Entry) -> dict[str, Any]:
    from rowtime.runtime.target.attachments import attachment_of
    from rowtime.streams import trace
    from rowtime.streams.log import StreamLog

    log = StreamLog(store, entry)
    state = _state_of(log)
    pumps = {attachment_of(other): other.name for other in store.entries() if other.is_pump}
    producers = [
        {
            "name": name,
            "pump": pumps.get(name),
            "bound": _time(producer.bound),
            "late": producer.rejected,
            "process": producer.owner,
            "timeout": producer.timeout,
        }
        for name, producer in state.producers.items()
    ]
    least = min(state.producers, key=lambda name: _order(state.producers[name].bound), default=None)
    return {
        **_summary(entry, state),
        "received": state.accounted if state.received is None else state.received,
        "late_stream": log.rules.late_stream,
        "late_fault": trace.fault_of(log),
        "first": _time(state.first),
        "files": state.files,
        "rejected": dict(state.rejected),
        "waits_for": pumps.get(least, least) if least is not None and state.held else None,
        "producers": producers,
    }


def _foreign_details(store: Store, entry: Entry) -> dict[str, Any]:
    """Returns what queries have met in a foreign stream. Counts are the largest of any query: all of them read the same
    records."""
    from rowtime.foreign.unknown_fields import unknown_fields
    from rowtime.sources.foreign import Foreign

    foreign = Foreign(store)
    pumps = {other.id: other.name for other in store.entries() if other.is_pump}
    folders = sorted(foreign.bad_rows(entry).glob("*"), key=lambda folder: pumps.get(folder.name, ""))
    readers: list[dict[str, Any]] = [
        {
            "name": pumps.get(folder.name, f"query {folder.name}"),
            "invalid": foreign.bad_row_count(entry, folder.name),
            "late": foreign.late_row_count(entry, folder.name),
            "unknown_fields": unknown_fields(folder),
        }
        for folder in folders
    ]
    fields: dict[str, int] = {}
    for reader in readers:
        for field, count in reader["unknown_fields"].items():
            fields[field] = max(count, fields.get(field, 0))
    return {
        "name": entry.name,
        "kind": entry.kind,
        "connector": entry.options.get("connector"),
        "invalid": max((reader["invalid"] for reader in readers), default=0),
        "late": max((reader["late"] for reader in readers), default=0),
        "unknown_fields": fields,
        "readers": readers,
    }


def _order(bound: int | None) -> float:
    return float("-inf") if bound is None else bound


def _time(millis: int | None) -> str | None:
    from rowtime.types import times

    return None if millis is None else times.text(millis, "T")


def _json_value(value: Any) -> Any:
    if isinstance(value, str) and len(value) == 23 and value[10] == "T":
        return value.replace("T", " ").removesuffix(".000")
    return value
