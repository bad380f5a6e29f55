"""Plans from the planner, rows from files, no runtime between: what the translator does and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowtime.sparksql.settings import SETTINGS, applied

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# pytest imports test files by path here; what they share has to be found by name
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "plan")]

STREAMING = {
    **SETTINGS,
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
}


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session with the settings that translation needs."""
    with applied(spark, STREAMING):
        yield spark


class Catalog:
    """A catalog built by DDL, and a planner for statements against it."""

    def __init__(self, planner: Any) -> None:
        self._planner = planner
        self._catalog: dict[str, Any] = {"version": 0, "objects": [], "lateness": []}

    def ddl(self, sql: str) -> None:
        for change in self._reply(sql)["changes"]:
            self._catalog["objects"].append(change["object"])
            self._catalog["version"] += 1

    def plan(self, sql: str) -> dict[str, Any]:
        statement = self._reply(sql)
        assert not statement["notSupported"], statement["notSupported"]
        return statement

    def _reply(self, sql: str) -> dict[str, Any]:
        request = json.dumps({"sql": sql, "line": 1, "column": 1})
        reply = json.loads(self._planner.plan(json.dumps(self._catalog), request))
        assert reply["statement"] is not None, reply["diagnostics"]
        return reply["statement"]


@pytest.fixture
def catalog(planner: Any) -> Catalog:
    return Catalog(planner)
