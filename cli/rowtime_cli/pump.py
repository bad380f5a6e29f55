"""`rowtime pump`: shows and controls the pumps of a warehouse, and runs them."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowtime.lexical.identifiers import folded, quoted
from rowtime.terminal import printable
from rowtime_cli.catalogs import open_store, print_json, print_table
from rowtime_cli.metrics import endpoint
from rowtime_cli.parameters import AnswerFormat, Catalog, CheckClaims, Conf, Master, MetricsPort, Partitions, Warehouse
from rowtime_cli.signals import stop_event
from rowtime_cli.spark_process import watched

if TYPE_CHECKING:
    from rowtime.runtime.pump.status import PumpStatus
    from rowtime.session import Session

app = typer.Typer(help="List, start and stop pumps, and run them in a separate process.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The pump; upper case unless in double quotes.")]
Shown = Annotated[AnswerFormat, typer.Option(help="The output format.")]


@app.command("list")
def list_pumps(
    format: Shown = AnswerFormat.text,
    check: Annotated[bool, typer.Option("--check", help="Exit code 1 if a pump has failed.")] = False,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """List all pumps: state, process, rows, rate, rowtime, lag, late rows, invalid records, partitions, error."""
    from rowtime.runtime.pump.status import FAILED, read_status

    with open_store(warehouse, catalog, read_only=True) as store:
        found = [read_status(store, entry) for entry in store.entries() if entry.is_pump]
    if format is AnswerFormat.json:
        print_json([status.to_dict() for status in found])
    else:
        _print(found)
    if check and any(status.state == FAILED for status in found):
        raise typer.Exit(1)


def _print(found: list[PumpStatus]) -> None:
    names = (
        "PUMP",
        "STATE",
        "PROCESS",
        "ROWS IN",
        "ROWS OUT",
        "ROWS/S",
        "ROWTIME",
        "LAG",
        "LATE",
        "BAD",
        "PARTITIONS",
        "ERROR",
    )
    print_table(names, [_line(status) for status in found])


@app.command()
def start(
    name: Name,
    reset: Annotated[
        bool, typer.Option("--reset", help="Discard the saved state of the pump, and start afresh, if no row is lost.")
    ] = False,
    keep_position: Annotated[
        bool, typer.Option("--keep-position", help="With --reset: continue with the rows that it has not read yet.")
    ] = False,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="earliest|TIMESTAMP",
            help="With --reset: begin with all rows that its sources hold, or those from this time.",
        ),
    ] = None,
    drop_state: Annotated[
        bool, typer.Option("--drop-state", help="With --reset: also if rows are lost that are not in the target yet.")
    ] = False,
    allow_duplicates: Annotated[
        bool, typer.Option("--allow-duplicates", help="With --reset: also if rows are read that it has read before.")
    ] = False,
    from_save: Annotated[
        str | None,
        typer.Option(
            "--from-save", metavar="SAVEPOINT", help="Continue from a savepoint, with its state and position."
        ),
    ] = None,
    offsets: Annotated[
        list[str] | None,
        typer.Option(
            "--offset",
            metavar="SOURCE=OFFSET",
            help="Begin to read a source there, without state: orders=17; a topic by its partitions: clicks=0:17,1:4. "
            "Once for each source.",
        ),
    ] = None,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Start a pump. A process that runs pumps (rowtime pump run, or any session) starts it within a second."""
    if keep_position and begin is not None:
        raise typer.BadParameter("--keep-position and --from exclude one another")
    said = {
        "KEEP POSITION": keep_position,
        _from(begin): begin is not None,
        "DROP STATE": drop_state,
        "ALLOW DUPLICATES": allow_duplicates,
    }
    words = [word for word in said if said[word]]
    place = _place(from_save, offsets or [])
    if place is not None:
        if reset or keep_position or begin is not None:
            raise typer.BadParameter("--from-save and --offset exclude one another, and --reset")
        _alter(name, " ".join(["START", place, *words]), warehouse, catalog)
        return
    if words and not reset:
        raise typer.BadParameter("--keep-position, --from, --drop-state and --allow-duplicates need --reset")
    _alter(name, " ".join(["START", *(["RESET"] if reset else []), *words]), warehouse, catalog)


def _place(save: str | None, offsets: list[str]) -> str | None:
    """Returns the clause for --from-save or --offset, None if there is neither."""
    if save is not None and offsets:
        raise typer.BadParameter("--from-save and --offset exclude one another, and --reset")
    if save is not None:
        return f"FROM SAVE {_quoted(save)}"
    if not offsets:
        return None
    said = []
    for each in offsets:
        source, is_said, offset = each.partition("=")
        if not is_said:
            raise typer.BadParameter(f"'{each}' is not of the form SOURCE=OFFSET")
        said.append(f"{_named(source)} => {offset if offset.isdigit() else _quoted(offset)}")
    return f"FROM OFFSETS ({', '.join(said)})"


def _named(name: str) -> str:
    return quoted(folded(name))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


Savepoint = Annotated[str, typer.Argument(help="The name of the savepoint.")]


@app.command()
def save(name: Name, savepoint: Savepoint, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """Make a savepoint: a named copy of the state and position of a pump, to which it can return."""
    _alter(name, f"SAVE {_quoted(savepoint)}", warehouse, catalog)


@app.command("drop-save")
def drop_save(name: Name, savepoint: Savepoint, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """Drop a savepoint. Its sources no longer keep rows for it."""
    _alter(name, f"DROP SAVE {_quoted(savepoint)}", warehouse, catalog)


@app.command("saves")
def list_saves(format: Shown = AnswerFormat.text, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """List the savepoints of all pumps: name, pump, time (UTC), and the position in each source."""
    import msgspec

    from rowtime.runtime.statements import SAVES, show

    with open_store(warehouse, catalog, read_only=True) as store:
        _, rows = show(store, SAVES)
    if format is AnswerFormat.json:
        names = ("name", "pump", "saved_at", "position")
        print_json([{**dict(zip(names, row, strict=True)), "position": msgspec.json.decode(row[3])} for row in rows])
    else:
        print_table(("SAVEPOINT", "PUMP", "SAVED AT", "POSITION"), rows)


def _from(begin: str | None) -> str:
    """Returns the clause of RESET for --from."""
    from rowtime.types import times
    from rowtime_cli.begin import begin_millis

    since = None if begin is None else begin_millis(begin)
    return "FROM EARLIEST" if since is None else f"FROM TIMESTAMP '{times.text(since)}'"


@app.command()
def stop(name: Name, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """Stop a pump. It detaches from its target, and keeps its position."""
    _alter(name, "STOP", warehouse, catalog)


@app.command()
def pause(name: Name, warehouse: Warehouse = None, catalog: Catalog = None) -> None:
    """Pause a pump. Its target waits for it."""
    _alter(name, "PAUSE", warehouse, catalog)


@app.command()
def resume(
    name: Name,
    skip: Annotated[
        bool, typer.Option("--skip", help="Step over the row at which it has failed: it is set aside, with the reason.")
    ] = False,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Resume a paused pump, or one that has failed at a row."""
    _alter(name, "RESUME SKIP" if skip else "RESUME", warehouse, catalog)


@app.command()
def replace(
    name: Name,
    successor: Annotated[str, typer.Argument(help="The pump that takes over.")],
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Give the name and the target of a pump to another one, with its query and state, at one bound."""
    _alter(name, f"REPLACE WITH {_named(successor)}", warehouse, catalog)


@app.command()
def diff(
    name: Name,
    other: Annotated[str, typer.Argument(help="The pump that is compared with it.")],
    begin: Annotated[
        str | None, typer.Option("--from", metavar="TIMESTAMP", help="Compare rows from this ROWTIME on.")
    ] = None,
    format: Shown = AnswerFormat.text,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Compare what two pumps have written, before the lower one of their bounds. Exit code 1 if it differs."""
    from rowtime.opening import connect
    from rowtime.runtime.pump_diff import difference
    from rowtime_cli.begin import begin_millis

    open_store(warehouse, catalog, read_only=True).close()
    with connect(warehouse=warehouse, catalog=catalog, pumps=False) as session:
        since = None if begin is None else begin_millis(begin)
        found = difference(session.runtime, (folded(name), folded(other)), since)
    if format is AnswerFormat.json:
        print_json(found.to_dict())
    else:
        for line in found.lines():
            print(printable(line))
    if not found.is_equal:
        raise typer.Exit(1)


@app.command()
def run(
    warehouse: Warehouse = None,
    catalog: Catalog = None,
    partitions: Partitions = None,
    master: Master = None,
    conf: Conf = None,
    metrics_port: MetricsPort = None,
    check_claims: CheckClaims = False,
) -> None:
    """Run the started pumps until Ctrl-C or SIGTERM. Within a second, it also runs pumps that are started
    later, and those of a process that has died. Exit code 1 if a pump has failed when it ends."""
    from rowtime.runtime.pump.status import FAILED
    from rowtime_cli.session_options import SessionOptions

    metrics = endpoint(metrics_port)
    options = SessionOptions.parse(warehouse, catalog, partitions, master, conf, check_claims)
    open_store(warehouse, catalog, read_only=True).close()
    with options.connect() as session, watched(session):
        leaving = stop_event()
        if metrics is not None:
            metrics.serve(session)
        log_pumps(session)
        running: set[str] = set()
        _say(f"Running the pumps of {session.store.warehouse}; press Ctrl-C to stop.")
        while not leaving.wait(0.5):
            session.runtime.pumps.check()
            running = _report(session, running)
        _report(session, running)
        failed = [status for status in session.pumps if status.state == FAILED]
    for status in failed:
        _say(f"{status.name}: FAILED since {status.failed_since} UTC")
    if failed:
        raise typer.Exit(1)


def log_pumps(session: Session) -> None:
    """Prints to stderr which pumps of the session fail, with the hint, and which work again."""
    listeners = session.runtime.listeners
    listeners.on_fault = lambda pump, fault: _say_lines(f"{pump}: {fault}")
    listeners.on_recovered = lambda pump: _say(f"{pump}: works again")


def _say_lines(text: str) -> None:
    for line in text.split("\n"):
        _say(line)


def _report(session: Session, known: set[str]) -> set[str]:
    """Prints which pumps have started or stopped since those in `known` ran. Returns the names of the running ones."""
    now = {pump.name for pump in session.runtime.pumps.running()}
    for name in sorted(now - known):
        _say(f"{name}: running")
    for name in sorted(known - now):
        _say(f"{name}: no longer running")
    return now


def _alter(name: str, verb: str, warehouse: str | None, catalog: str | None) -> None:
    """Runs ALTER PUMP like a session, but without Spark."""
    from rowtime.jvm.jpype import planner
    from rowtime.planner import Define, plan
    from rowtime.runtime.logs import Logs
    from rowtime.runtime.pump.changes import changing, resolved
    from rowtime.runtime.pump.function_code import code_hash
    from rowtime.runtime.pump.registry import PumpRegistry
    from rowtime.runtime.statements import define
    from rowtime.runtime.target.upsert import has_results

    with open_store(warehouse, catalog) as store:
        service = planner()
        planned = plan(service, store.snapshot(), f"ALTER PUMP {_named(name)} {verb}")
        registry = PumpRegistry(
            store,
            Logs(store),
            lambda sql: plan(service, store.snapshot(), sql),
            code_hash(None),
            lambda entry: has_results(None, store, entry),
        )
        assert isinstance(planned.statement, Define)
        with changing(registry, planned.statement.changes):
            define(planned.statement, planned.catalog_version, store, lambda change: resolved(registry, change))


def _line(status: PumpStatus) -> tuple[object, ...]:
    rate = status.rows_per_second if status.pid is not None else None
    lag = None if status.lag is None else f"{status.lag:,.1f} s"
    process = "" if status.pid is None else str(status.pid)
    rowtime = None if status.rowtime is None else status.rowtime.replace("T", " ")
    return (
        status.name,
        status.state
        if status.failed_since is None
        else f"{status.state} since {status.failed_since[:19].replace('T', ' ')}",
        process,
        status.rows_in,
        status.rows_out,
        rate,
        rowtime,
        lag,
        status.late_rows,
        status.bad_rows,
        status.partitions,
        status.error,
    )


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(printable(line), file=sys.stderr, flush=True)
