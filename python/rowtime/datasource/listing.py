"""The streams and tables of a warehouse, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from rowtime.catalog.system import is_system
from rowtime.datasource.identifiers import Identifier, is_source, opened_store

TABLES = "INFORMATION_SCHEMA.TABLES"
SCHEMA = "TABLE_NAME STRING, TABLE_TYPE STRING"


@dataclass
class Listed(InputPartition):
    """The names of objects, and their types."""

    names: list[tuple[str, str]]


class TablesReader(DataSourceReader):
    """Lists what the data source reads, but for the objects of the system, in order of names. Columns: TABLE_NAME;
    TABLE_TYPE, which is STREAM, TABLE or MATERIALIZED VIEW."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier

    def partitions(self) -> Sequence[InputPartition]:
        with opened_store(self._identifier.warehouse, self._identifier.catalog) as store:
            found = sorted(
                (entry.name, entry.kind)
                for entry in store.entries()
                if is_source(entry) and not is_system(entry.definition)
            )
        return [Listed(found)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Listed)
        found = partition.names
        yield pa.RecordBatch.from_pydict(
            {"TABLE_NAME": [name for name, _ in found], "TABLE_TYPE": [kind for _, kind in found]},
            pa.schema([("TABLE_NAME", pa.string()), ("TABLE_TYPE", pa.string())]),
        )
