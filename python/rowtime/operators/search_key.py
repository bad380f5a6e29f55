"""SEARCH_KEY: rows of a table that its own system looks up by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class
from rowtime.operators.call import call_with_spec, spec_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATOR_CLASS = "io.rowtime.operator.search.SearchKeyOperator"
FILES_CLASS = "io.rowtime.operator.search.SearchFilesOperator"


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Counts of the searches by key. Of the distinct `keys` of all micro-batches, `cache_hits` were still in an
    executor's cache; `hits` of them had rows, `misses` had none. `lookups` counts the keys that were sent to the
    system, each as often as it was sent; `retries` of them were sent again. `statements` took `seconds` in total. For a
    Delta table, the driver has the cache, and a statement is a read of the table."""

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
    """A table of files as it is `now`, and the `snapshots` (io.rowtime.lookup.SnapshotProvider) of it in each
    micro-batch; None in a query that runs once."""

    now: DataFrame
    snapshots: Any


def search_key(
    rows: DataFrame, table: Any, spec: Mapping[str, Any], condition: str | None
) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    """Returns the rows of a DataFrame, streaming or not, joined with the rows that are found for them in a `table` of a
    database (io.rowtime.jdbc.DatabaseTable), and a function that returns the counts so far. `spec` is the record of the
    operator as the planner wrote it, `condition` Spark SQL over the columns of the result (None: equal keys suffice).
    No column of `rows` may carry Spark's event-time tag. Raises RowtimeError (RT0999) if Java cannot read the spec."""
    java, text = java_class(rows.sparkSession, OPERATOR_CLASS), spec_text(spec)
    return _rows_and_counts(rows, call_with_spec(lambda: java.jdbc(rows._jdf, table, text, condition)))


def search_files(
    rows: DataFrame, table: TableOfFiles, spec: Mapping[str, Any], condition: str | None
) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    """Returns the rows of a DataFrame joined with the rows that are found for them in a table of files, with the
    columns of both, and a function that returns the counts so far. The column names of the table must differ from those
    of `rows`. Raises as `search_key`."""
    java, text = java_class(rows.sparkSession, FILES_CLASS), spec_text(spec)
    return _rows_and_counts(
        rows, call_with_spec(lambda: java.of(rows._jdf, table.now._jdf, table.snapshots, text, condition))
    )


def _rows_and_counts(rows: DataFrame, operator: Any) -> tuple[DataFrame, Callable[[], SearchCounts]]:
    from pyspark.sql import DataFrame

    def counts() -> SearchCounts:
        found: list[Any] = list(operator.counts())
        found[-1] /= 1e9
        return SearchCounts(*found)

    return DataFrame(operator.rows(), rows.sparkSession), counts
