"""The same relations in rowtime and in DuckDB, and the results of a query in each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from rowtime.opening import connect
from rowtime.runtime.relation import Relation
from rowtime.session import Session

from .compositions import FUNCTIONS
from .data import ALL_RELATIONS, LATE_VIEWS, LATENESS, RELATIONS, VIEWS, VIEWS_IN_DUCKDB, insert, rows
from .text import Query

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = {letter: f"G_{letter}" for letter in (*(r.letter for r in ALL_RELATIONS), *VIEWS, *LATE_VIEWS)}

_SETTINGS = {
    # Tables of a few dozen rows: planning twice, or more partitions than cores, would not help.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.stats.skipping": "false",
}


class Engines:
    """`seed` determines the rows. `composed`: there are the relations of composed queries as well. `how` the input of
    composed streams arrives; by default, blocks take turns."""

    how: str | None = None

    def __init__(self, session: Session, duck: duckdb.DuckDBPyConnection, seed: int, *, composed: bool = False) -> None:
        self.session, self.duck, self.seed = session, duck, seed
        for each in ALL_RELATIONS if composed else RELATIONS:
            some = rows(each, seed)
            options = " OPTIONS (history 'all')" if each.stream else ""
            # A relation has no rows that a WATERMARK holds back.
            columns = each.types("rowtime").replace(" WATERMARK ", " LATENESS ")
            session.sql(f"CREATE {'STREAM' if each.stream else 'TABLE'} {each.name} ({columns}){options}")
            session.sql(insert(each.name, some))
            duck.execute(f"CREATE TABLE {each.name} ({each.types('duckdb')})")
            duck.execute(insert(each.name, some))
        for letter, view in (VIEWS | LATE_VIEWS if composed else VIEWS).items():
            session.sql(f"CREATE VIEW {NAMES[letter]} AS {view.replace('~S~', NAMES['S'])}")
            duck.execute(f"CREATE VIEW {NAMES[letter]} AS {VIEWS_IN_DUCKDB[letter]}")
        for create in FUNCTIONS if composed else ():
            session.sql(create)
        for letter in LATE_VIEWS if composed else ():
            session.sql(f"LATENESS {NAMES[letter]}.rowtime {LATENESS}")

    def ours(self, query: Query) -> list[tuple[Any, ...]]:
        """Returns the rows of rowtime, for a relational query. Raises RowtimeError."""
        made = self.session.sql(query.text(NAMES, streaming=False))
        assert isinstance(made, Relation)
        return made.tuples()

    def duckdb_rows(self, query: Query) -> list[tuple[Any, ...]]:
        """Returns DuckDB's rows. Raises duckdb.Error."""
        return self.duck.execute(query.duck).fetchall()


@contextlib.contextmanager
def engines(spark: SparkSession, warehouse: Path, seed: int, *, composed: bool = False) -> Iterator[Engines]:
    before = {key: spark.conf.get(key, None) for key in _SETTINGS}
    for key, value in _SETTINGS.items():
        spark.conf.set(key, value)
    try:
        with connect(spark, warehouse) as session, duckdb.connect() as duck:
            yield Engines(session, duck, seed, composed=composed)
    finally:
        for key, value in before.items():
            if value is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, value)
