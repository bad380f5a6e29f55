"""Errors of values in a running query, such as a division by zero: they name the row, or the row is set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class, java_list
from rowtime.operators.skipped_rows import late_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROW_FAULTS_CLASS = "io.rowtime.rowfault.RowFaults"
_ASIDE = "failed_rows"
_NULLED = "null_values"


def named(
    rows: DataFrame,
    texts: Mapping[int, str],
    columns: Sequence[str],
    names: Sequence[str],
    carried: Mapping[str, str],
    source: str | None,
    position: str | None,
) -> DataFrame:
    """Lets errors of a `select` or `filter`, which returned `rows`, name the row of its input.

    `texts` are those of the expressions that can fail, by the number of the column (0 for a filter). `columns` are
    columns of the input, with their user-visible `names`; those that an expression reads are named, and those that are
    `carried`, by name, always. `source` is the stream that the rows are of, and `position` the column with
    the position of a row in it, if there is one.
    """
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    read = {name: column for name, column in zip(names, columns, strict=True) if name not in carried}
    made = java_class(spark, ROW_FAULTS_CLASS).named(
        rows._jdf,
        java_list(spark, list(texts)),
        java_list(spark, list(texts.values())),
        java_list(spark, [*read.values(), *carried.values()]),
        java_list(spark, [*read, *carried]),
        len(carried),
        source,
        position,
    )
    return DataFrame(made, spark)


def set_aside(
    rows: DataFrame, texts: Mapping[int, str], columns: Sequence[str], names: Sequence[str], folder: Path, name: str
) -> DataFrame:
    """Returns the result `rows` of a `select` or `filter` without the rows of its input for which it fails; they are
    set aside in the folder of the query, under the state `name` of the node. See `named` for the others."""
    return _noting("setAside", rows, texts, columns, names, folder / _ASIDE / name, name)


def stepped_over(
    rows: DataFrame,
    texts: Mapping[int, str],
    columns: Sequence[str],
    names: Sequence[str],
    folder: Path,
    name: str,
    position: str,
    at: Sequence[str],
) -> DataFrame:
    """Returns the result `rows` of a `select` or `filter` without those rows of its input for which it fails and whose
    `position`, a column, is one of the positions `at`; they are set aside. See `set_aside`."""
    places = java_list(rows.sparkSession, list(at))
    return _noting("steppedOver", rows, texts, columns, names, folder / _ASIDE / name, name, position, places)


def nulled(
    rows: DataFrame, texts: Mapping[int, str], columns: Sequence[str], names: Sequence[str], folder: Path, name: str
) -> DataFrame:
    """Returns the result `rows` of a `select` with NULL in the columns that fail; the rows of its input are noted in
    the folder of the query, once for each such column. See `set_aside`."""
    return _noting("nulled", rows, texts, columns, names, folder / _NULLED / name, name)


def _noting(
    method: str,
    rows: DataFrame,
    texts: Mapping[int, str],
    columns: Sequence[str],
    names: Sequence[str],
    place: Path,
    name: str,
    *others: object,
) -> DataFrame:
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    made = getattr(java_class(spark, ROW_FAULTS_CLASS), method)(
        rows._jdf,
        java_list(spark, list(texts)),
        java_list(spark, list(texts.values())),
        java_list(spark, list(columns)),
        java_list(spark, list(names)),
        place.absolute().as_uri(),
        name,
        *others,
    )
    return DataFrame(made, spark)


def failed_folders(folder: Path) -> list[Path]:
    """Returns the folders in which the query with this folder has set rows aside, one for each node of its plan."""
    return [place for place in (folder / _ASIDE).glob("*") if place.is_dir()]


def null_folders(folder: Path) -> list[Path]:
    """Returns the folders in which the query with this folder has noted values that it has made NULL."""
    return [place for place in (folder / _NULLED).glob("*") if place.is_dir()]


def null_values(folder: Path) -> int:
    """Returns how many values the query with this folder has made NULL because they could not be computed."""
    return sum(late_rows(place) for place in null_folders(folder))


def failed_rows(folder: Path) -> int:
    """Returns how many rows the query with this folder has set aside because their values could not be computed."""
    return sum(late_rows(place) for place in failed_folders(folder))
