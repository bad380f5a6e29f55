"""What operators are told: the schema of both sides, and what Java refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowtime.errors import RowtimeError
from rowtime.operators import specs
from rowtime.operators.hold import HOLD_CLASS, hold
from rowtime.operators.schema import schema_text

SCHEMA = Path(__file__).parents[3] / "docs" / "operators.schema.json"


def test_the_schema_in_the_repository_is_that_of_the_structs():
    assert SCHEMA.read_text() == schema_text(), "run: python -m rowtime.operators.schema > docs/operators.schema.json"


def test_every_field_is_written():
    spec = specs.SearchFilesSpec(
        join_type="LEFT",
        keys=["k"],
        searched=["f"],
        condition=None,
        cache_ttl=None,
        cache_rows=5,
        cache_misses=False,
    )
    assert specs.encode(spec) == (
        '{"operator":"search_files","joinType":"LEFT","keys":["k"],"searched":["f"],"condition":null,"cacheTtl":null,'
        '"cacheRows":5,"cacheMisses":false}'
    )


@pytest.mark.spark
def test_what_java_cannot_read_is_an_internal_error(spark, monkeypatch):
    """As with a jar of another build: the message names no Java class."""
    older = specs.encode(specs.HoldSpec(release="t", named=False)).replace("release", "until")
    monkeypatch.setattr("rowtime.operators.call.encode", lambda spec: older)
    rows = spark.readStream.format("rate").load()
    with pytest.raises(RowtimeError) as refused:
        hold(rows, "timestamp", named=False)
    diagnostic = refused.value.diagnostics[0]
    assert diagnostic.code == "RT0999"
    assert diagnostic.message == "The description of the operator hold cannot be read: until is an unknown field"
    assert HOLD_CLASS not in str(refused.value)
    assert "java" not in str(refused.value)
