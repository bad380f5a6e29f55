"""The data source `rowtime` of plain PySpark: streams and tables of a warehouse as DataFrames, for programs without
a session of rowtime.

    spark.read.format("rowtime").option("warehouse", "w").load("ORDERS")
    spark.readStream.format("rowtime").option("warehouse", "w").load("ORDERS")
    df.write.format("rowtime").option("warehouse", "w").mode("append").save("ORDERS")
    df.writeStream.format("rowtime").option("warehouse", "w").option("checkpointLocation", "c").start("ORDERS")

It runs in Python processes that Spark starts, in the driver and in tasks, and never uses the planner. PySpark finds it
by the package `pyspark_rowtime`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
)

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from rowtime.datasource.identifiers import Identifier

__all__ = ["WarehouseSource"]


class WarehouseSource(DataSource):
    """A stream or a table of a warehouse. Options: `path` (the argument of `load` and `save`) is its name; `warehouse`
    the folder (default: $ROWTIME_WAREHOUSE, or else `.rowtime`); `catalog` the URL of the database with its catalog
    (default: $ROWTIME_CATALOG; without one, it is a file of the warehouse); `start` where a streaming read starts:
    `latest` (the rows that arrive from now on, the default) or `earliest`. A streaming write needs
    `checkpointLocation`.

    `INFORMATION_SCHEMA.TABLES` lists them. Columns have the names of the catalog. TIMESTAMP is TIMESTAMP_NTZ, and an
    interval of months the number of months.
    """

    @classmethod
    def name(cls) -> str:
        return "rowtime"

    def schema(self) -> str:
        from rowtime.datasource.listing import SCHEMA, TABLES
        from rowtime.datasource.values import spark_schema

        if self._name() == TABLES:
            return SCHEMA
        with self._identifier().opened() as found:
            return spark_schema(found.columns)

    def reader(self, schema: StructType) -> DataSourceReader:
        from rowtime.datasource.listing import TABLES, TablesReader
        from rowtime.datasource.reading import Reader

        if self._name() == TABLES:
            return TablesReader(self._identifier())
        return Reader(self._identifier())

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        from rowtime.datasource.reading import StreamReader

        return StreamReader(self._identifier(), self.options.get("start", "latest"))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        from rowtime.datasource.writing import Writer

        return Writer(self._identifier(), schema, overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        from rowtime.datasource.writing import StreamWriter, query_id

        # Spark's catalog of rowtime (RowtimeTable) knows the query.
        query = self.options.get("rowtime.query") or query_id(self.options.get("checkpointLocation"))
        return StreamWriter(self._identifier(), schema, query)

    def _name(self) -> str:
        return self.options.get("path", "").upper()

    def _identifier(self) -> Identifier:
        from rowtime.datasource.identifiers import Identifier

        return Identifier.of(self.options.get("path"), self.options.get("warehouse"), self.options.get("catalog"))
