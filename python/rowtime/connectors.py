"""The connectors of foreign streams and tables, and all options, from `connectors.json` and `options.json`, which the
planner reads too."""

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
    `real_time`: rows can be read and written in real time, one by one.
    `search_key` is how SEARCH_KEY looks up rows (None: it does not). `raw_records`: it has the format 'raw', in which a
    record is the value of one column. `upserts`: the formats in which rows are replaced and
    deleted by their PRIMARY KEY (empty: without any format; None: none).

    `columns` are the only possible columns besides ROWTIME, with their types (None: any columns). Options that begin
    with `settings` are passed to a client library; elsewhere they begin with `foreign_settings`. An `adapter` has
    options of its own, besides those in the table. `aliases` are what others call it."""

    name: str
    reader: str
    writer: str | None
    streams: bool
    tables: bool
    local_folder: bool
    repeatable: bool
    in_order: bool
    real_time: bool
    search_key: Literal["JDBC", "DELTA"] | None
    raw_records: bool
    upserts: list[str] | None
    columns: dict[str, str] | None
    settings: str | None
    foreign_settings: str | None
    adapter: bool
    aliases: list[str]


class Option(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An option `of` kinds of objects (in upper case) and connectors (in lower case).

    `values` are those of a CHOICE, `least` and `greatest` the range of a NUMBER. Without `formats` it belongs to every
    format of records. A connector cannot do without one that is `required`. `identifies`: with another value, what is
    read is another source. `shown`: the value is never secret. `example` is a value for messages; `aliases` are what
    others call it."""

    name: str
    of: list[str]
    type: str
    values: list[str] | None
    least: int | None
    greatest: int | None
    formats: list[str] | None
    required: bool
    identifies: bool
    shown: bool
    example: str
    aliases: list[str]


CONNECTORS: dict[str, Connector] = {
    connector.name: connector
    for connector in Decoder(list[Connector]).decode(Path(__file__).with_name("connectors.json").read_bytes())
}
"""By name, as the option `connector` has it in lower case."""

OPTIONS: tuple[Option, ...] = tuple(Decoder(list[Option]).decode(Path(__file__).with_name("options.json").read_bytes()))


def options_of(owner: str) -> dict[str, Option]:
    """Returns the options of a connector, or of a kind of object in upper case, by name."""
    return {option.name: option for option in OPTIONS if owner in option.of}
