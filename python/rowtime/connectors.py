"""The connectors of foreign streams and tables, from `connectors.json`, which the planner reads too."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from rowtime.decoding import Decoder


class Connector(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """What a connector can do.

    `reader` and `writer` are the modules with its functions `read` and `write` (None: it cannot be written). `streams`:
    SELECT STREAM reads rows as they arrive. `tables`: SELECT reads the existing rows. `local_folder`: it writes only to
    a local folder. `repeatable`: rows can be read again. `in_order`: rows are late only if a LATENESS is declared.
    `search_key` is how SEARCH_KEY looks up rows (None: it does not). `raw_records`: it has the format 'raw', in which a
    record is the value of one column.

    `columns` are the only possible columns besides ROWTIME, with their types (None: any columns). `roles` are options
    that name a column, which is then not a part of the record. An INSERT cannot fill the columns of the roles
    `read_only`, except ROWTIME.

    The options `reads` say what is read: with another value, it is another source (None: any option may).

    The values of the options `shown` are never secret. Options that begin with `settings` are passed to a client
    library. All options of an `adapter` are its own."""

    name: str
    reader: str
    writer: str | None
    streams: bool
    tables: bool
    local_folder: bool
    repeatable: bool
    in_order: bool
    search_key: Literal["JDBC", "DELTA"] | None
    raw_records: bool
    columns: dict[str, str] | None
    roles: list[str]
    reads: list[str] | None
    read_only: list[str]
    shown: list[str]
    settings: str | None
    adapter: bool


CONNECTORS: dict[str, Connector] = {
    connector.name: connector
    for connector in Decoder(list[Connector]).decode(Path(__file__).with_name("connectors.json").read_bytes())
}
"""By name, as the option `connector` has it in lower case."""
