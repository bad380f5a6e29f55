"""`rowtime serve`: a server for JDBC clients."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from rowtime_cli.faults import WrongCommandLine
from rowtime_cli.metrics import address_of, endpoint
from rowtime_cli.parameters import Catalog, Conf, Master, MetricsPort, Partitions, Warehouse
from rowtime_cli.signals import stop_event
from rowtime_cli.spark_process import watched


def command(
    port: Annotated[
        str, typer.Option(metavar="[ADDRESS:]PORT", help="Where to serve. [default address: 127.0.0.1]")
    ] = "7655",
    warehouse: Warehouse = None,
    catalog: Catalog = None,
    user: Annotated[str, typer.Option(help="The user that clients name, if there is a password.")] = "rowtime",
    password_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="The password that clients need: the file's first line.")
    ] = None,
    keystore: Annotated[
        str | None, typer.Option(metavar="FILE", help="TLS: a PKCS #12 file with the key and the certificate.")
    ] = None,
    keystore_password_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="The password of the key store: the file's first line.")
    ] = None,
    idle_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=1, help="When a connection that sends no request is closed, with its queries."
        ),
    ] = 600,
    host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name of this server besides localhost, without TLS. Repeatable."),
    ] = None,
    no_code: Annotated[
        bool, typer.Option("--no-code", help="Refuse statements that name classes, modules, jars or local files.")
    ] = False,
    partitions: Partitions = None,
    master: Master = None,
    conf: Conf = None,
    metrics_port: MetricsPort = None,
) -> None:
    """Serve JDBC clients until Ctrl-C or SIGTERM, and run the started pumps of the warehouse."""
    from rowtime_cli.pump import log_pumps
    from rowtime_cli.session_options import SessionOptions

    address, wanted = address_of("--port", port)
    password, keystore_password = _secret(password_file), _secret(keystore_password_file)
    options, metrics = SessionOptions.parse(warehouse, catalog, partitions, master, conf), endpoint(metrics_port)
    with options.connect() as session, watched(session):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop = stop_event()
        log_pumps(session)
        if metrics is not None:
            metrics.serve(session, host or ())
        server = session.serve_jdbc(
            wanted,
            address,
            user=user,
            password=password,
            keystore=keystore,
            keystore_password=keystore_password or "",
            idle_timeout=idle_timeout,
            hosts=host or (),
            code=not no_code,
        )
        print(f"serving {server.url}", flush=True)
        stop.wait()
        print("stopping", file=sys.stderr, flush=True)


def _secret(file: str | None) -> str | None:
    if file is None:
        return None
    from rowtime.errors import Diagnostic

    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        reason = getattr(fault, "strerror", None) or "it is not UTF-8"
        raise WrongCommandLine(Diagnostic(code="RT0620", message=f"Cannot read '{file}': {reason}")) from fault
    return lines[0] if lines else ""
