"""Lines of files, whatever the files hold and whatever becomes of them."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowtime.foreign.files import LINES
from rowtime.limits import RECORD_BYTES


def lines(spark: SparkSession, path: Path) -> DataFrame:
    return spark.read.format(LINES).schema("value STRING, trouble STRING").load(str(path))


def values(found: DataFrame) -> list[str]:
    return sorted(row.value for row in found.collect())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_each_line_comes_once_however_the_file_is_cut(spark: SparkSession, tmp_path: Path, size: int) -> None:
    chance = random.Random(size)
    text = "".join(chance.choice(("a", "bc", "\n", "\r", "\r\n", "\n\n")) for _ in range(120))
    (tmp_path / "a.txt").write_bytes(text.encode())
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(size))
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    try:
        found = values(lines(spark, tmp_path))
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
        spark.conf.unset("spark.sql.files.openCostInBytes")
    # Blank lines are no rows.
    assert found == sorted(filter(None, text.replace("\r\n", "\n").replace("\r", "\n").split("\n")))


def test_a_line_that_is_too_long_is_its_beginning(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\n" + b"x" * (RECORD_BYTES + 1) + b"\n" + b"y" * RECORD_BYTES + b"\nb")
    first, long, most, last = lines(spark, tmp_path).collect()
    assert (tuple(first), tuple(last)) == (("a", None), ("b", None))
    assert (long.value, long.trouble) == (
        "x" * 4096,
        "a record of 16,777,217 bytes, of which at most 16,777,216 are read",
    )
    assert (len(most.value), most.trouble) == (RECORD_BYTES, None)


def test_a_file_that_has_gone(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"{name}\n")
    found = lines(spark, tmp_path)
    (tmp_path / "a.txt").unlink()
    assert {tuple(row) for row in found.collect()} == {("b", None), (None, "the file was deleted after it was listed")}


def test_a_compressed_file_that_is_damaged(spark: SparkSession, tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{i}\n" for i in range(100_000)).encode())
    (tmp_path / "a.txt.gz").write_bytes(whole[: len(whole) // 2])
    *rows, last = lines(spark, tmp_path).collect()
    assert len(rows) > 10_000
    assert [row.value for row in rows[:-1]] == [str(i) for i in range(len(rows) - 1)]
    assert (last.value, last.trouble) == (None, "the file is damaged: it cannot be decompressed to its end")


def test_what_is_not_compressed_at_all(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_text("plain\n" * 10)
    (row,) = lines(spark, tmp_path).collect()
    assert (row.value, row.trouble) == (None, "the file is damaged: it cannot be decompressed from here on")
