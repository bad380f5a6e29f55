"""SEARCH_KEY: rows of a table that its own system looks up by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class
from rowtime.operators.call import checked
from rowtime.operators.specs import SearchFilesSpec, SearchKeySpec, encoded

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATOR_CLASS = "io.rowtime.operator.search.SearchKeyOperator"
FILES_CLASS = "io.rowtime.operator.search.SearchFilesOperator"


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """What searches by key have done. Of the distinct `keys` that micro-batches have asked for, executors still knew
    `cache_hits`; `hits` of them had rows, `misses` had none. `lookups` are keys that were sent to the system, each as
    often as it was sent; `retries` of them were sent again. `statements` took `seconds` together. For a
    Delta table, the driver is what knows keys, and a statement is a read of the table."""

    keys: int = 0
    cache_hits: int = 0
    hits: int = 0
    misses: int = 0
    lookups: int = 0
    retries: int = 0
    statements: int = 0
    seconds: float = 0.0

    def __add__(self, other: SearchCounts) -> SearchCounts:
        return SearchCounts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class TableOfFiles:
    """A table of files as it is `now`, and `snapshots` (io.rowtime.lookup.Snapshots) of it in each micro-batch; None in
    a query that runs once."""

    now: DataFrame
    snapshots: Any


def search_key(rows: DataFrame, database: Any, spec: SearchKeySpec) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    """The rows of a DataFrame, streaming or not, with those that are found for them in a table of a `database`
    (io.rowtime.jdbc.Database); and what gives the counts so far. No column of `rows` may carry Spark's event-time tag.
    Raises RowtimeError (RT0999) where Java cannot read the spec. Semantics: seed 004, "Correlated SEARCH functions".
    """
    java = java_class(rows.sparkSession, OPERATOR_CLASS)
    return _rows_and_counts(rows, checked(lambda: java.jdbc(rows._jdf, database, encoded(spec))))


def search_files(
    rows: DataFrame, table: TableOfFiles, spec: SearchFilesSpec
) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    """The rows of a DataFrame with those that are found for them in a table of files, in the columns of both; and what
    gives the counts so far. The columns of the table have names that `rows` does not have. Raises as `search_key`."""
    java = java_class(rows.sparkSession, FILES_CLASS)
    return _rows_and_counts(rows, checked(lambda: java.of(rows._jdf, table.now._jdf, table.snapshots, encoded(spec))))


def _rows_and_counts(rows: DataFrame, operator: Any) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    from pyspark.sql import DataFrame

    def counts() -> SearchCounts:
        found: list[Any] = list(operator.counts())
        found[-1] /= 1e9
        return SearchCounts(*found)

    return DataFrame(operator.rows(), rows.sparkSession), counts
