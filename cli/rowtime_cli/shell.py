"""`rowtime shell`: statements typed at a prompt; with a pipe as input, `rowtime run -`."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from rowtime.faults import diagnostics_of
from rowtime_cli.faults import supports_colors
from rowtime_cli.parameters import Catalog, CheckClaims, Conf, Master, Partitions, SchemaFiles, Warehouse
from rowtime_cli.spark_process import watched

if TYPE_CHECKING:
    from rowtime.session import Session


def command(
    schema: SchemaFiles = None,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
    partitions: Partitions = None,
    master: Master = None,
    conf: Conf = None,
    check_claims: CheckClaims = False,
) -> None:
    """Start an interactive shell. If standard input is not a terminal, run it as a script."""
    from rowtime_cli.inputs import read_file, read_script
    from rowtime_cli.session_options import SessionOptions

    options = SessionOptions.parse(warehouse, catalog, partitions, master, conf, check_claims)
    schemas = [read_file(file) for file in schema or []]
    if not sys.stdin.isatty():
        from rowtime_cli.run import RowFormat, execute

        execute([*schemas, read_script("-", None)], RowFormat.text, options)
        return
    from rowtime.catalog.store import Store
    from rowtime.jvm import archive
    from rowtime.jvm.jpype import planner
    from rowtime.shell.history import open_history
    from rowtime.shell.shell import Shell

    opened = contextlib.ExitStack()

    def end_shell() -> None:
        shell.end()

    def open_session() -> Session:
        session = options.connect()
        opened.enter_context(watched(session, before=end_shell))
        return session

    texts = {source.name: source.text for source in schemas}
    with opened, Store(warehouse, catalog=catalog) as store:
        shell = Shell(store, open_session, planner, diagnostics_of, open_history(), texts, supports_colors)
        shell.loop()
    archive.build_if_missing()
