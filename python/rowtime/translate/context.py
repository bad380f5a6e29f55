"""What a translation needs from the outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from rowtime.operators.search_key import SearchCounts, TableOfFiles
    from rowtime.plan.nodes import Node, Scan
    from rowtime.sources.jdbc import KeyedTable
    from rowtime.sparksql.result import Translated


class TranslationContext(Protocol):
    """Gives the rows of sources; implemented by the runtime, and by tests."""

    @property
    def spark(self) -> SparkSession:
        """The session that the query is built in."""
        ...

    @property
    def folder(self) -> Path:
        """Where the query keeps what must outlive a restart, beside Spark's checkpoint; a new query's is empty."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether rows of a streaming query have to come out in order of ROWTIME from one micro-batch to the next."""
        ...

    def scan(self, node: Scan) -> Translated:
        """The rows of `node.source`, its columns in the order of `node.fields`.

        No column may carry Spark's event-time tag. Column names must be unique in the whole query: begin them with
        `s<node.id>_`.
        """
        ...

    def lookup(self, relation: Node, fields: Sequence[int], *, varies: bool, rows: Node) -> Translated:
        """The rows that a `relation` has in each micro-batch of the query, for a join with a stream: at least those
        `fields` of it, under the names that `columns` has at their places. `varies` says that its rows can differ
        though all tables are the same; `rows` are those of the stream."""
        ...

    def keyed_table(self, node: Scan) -> KeyedTable:
        """The table of `node.source`, whose rows its own system looks up by key."""
        ...

    def table_of_files(self, node: Scan, names: Mapping[int, str]) -> TableOfFiles:
        """Some columns of the table of `node.source`, whose rows are looked up by key in its files: the `names` of
        them, by their places."""
        ...

    def searched(self, counts: Callable[[], SearchCounts]) -> None:
        """Takes what gives the counts of a search by key, for the progress of the query."""
        ...

    def bounds(self, node: Scan) -> DataFrame:
        """The bounds that the stream of a scan tells, beside its rows and of the same source: a streaming DataFrame of
        one TIMESTAMP column, of instants as Spark's watermark has them. Only for a stream that has been scanned."""
        ...
