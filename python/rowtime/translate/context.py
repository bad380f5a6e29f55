"""The environment of a translation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from rowtime.operators.search_key import SearchCounts, TableOfFiles
    from rowtime.plan.nodes import Node, Scan
    from rowtime.sparksql.result import Translated


class TranslationContext(Protocol):
    """Returns the rows of sources; implemented by the runtime, and by tests."""

    @property
    def spark(self) -> SparkSession:
        """The session that the query is built in."""
        ...

    @property
    def folder(self) -> Path:
        """The folder for data of the query that must survive a restart, next to Spark's checkpoint; that of a new query
        is empty."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether rows of a streaming query must be emitted in order of ROWTIME from one micro-batch to the next."""
        ...

    @property
    def checks_claims(self) -> bool:
        """Whether the rows of each node are compared with what the planner claims of them."""
        ...

    def skipped(self, stream: str) -> Sequence[str]:
        """Returns the positions of the rows of a stream over which the query steps if it cannot compute them."""
        ...

    def scan(self, node: Scan) -> Translated:
        """Returns the rows of `node.source`, with columns in the order of `node.fields`.

        No column may carry Spark's event-time tag. Column names must be unique in the whole query: begin them with
        `s<node.id>_`.
        """
        ...

    def lookup(self, relation: Node, fields: Sequence[int], *, varies: bool, rows: Node) -> Translated:
        """Returns the rows that a `relation` has in each micro-batch of the query, for a join with a stream: at least
        those `fields` of it, under the names that `columns` has at their positions. `varies`: its rows can differ
        though all tables are the same; `rows` are those of the stream."""
        ...

    def keyed_table(self, node: Scan) -> Any:
        """Returns the table of `node.source` (io.rowtime.jdbc.DatabaseTable), whose rows its database looks up by
        key."""
        ...

    def table_of_files(self, node: Scan, names: Mapping[int, str]) -> TableOfFiles:
        """Returns some columns of the table of `node.source`, whose rows are looked up by key in its files: their
        `names`, by their positions."""
        ...

    def searched(self, counts: Callable[[], SearchCounts]) -> None:
        """Registers a function that returns the counts of a search by key, for the progress of the query."""
        ...

    def bounds(self, node: Scan) -> DataFrame:
        """Returns the bounds of the stream of a scan, from the same source as its rows: a streaming DataFrame of one
        TIMESTAMP column, with instants of Spark's watermark. Only for a stream that has been scanned."""
        ...
