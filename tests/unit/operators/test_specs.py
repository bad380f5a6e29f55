"""What Java refuses of the record of an operator."""

from __future__ import annotations

import pytest

from rowtime.errors import RowtimeError
from rowtime.operators.run import OPERATORS_CLASS, run


@pytest.mark.spark
def test_what_java_cannot_read_is_an_internal_error(spark):
    """As with a jar of another build: the message names no Java class."""
    rows = spark.readStream.format("rate").load()
    with pytest.raises(RowtimeError) as refused:
        run({"operator": "session_windows", "until": 5}, [rows], ordered=True)
    diagnostic = refused.value.diagnostics[0]
    assert diagnostic.code == "RT0999"
    assert diagnostic.message == (
        "The description of the operator session_windows cannot be read: until is an unknown field"
    )
    assert OPERATORS_CLASS not in str(refused.value)
    assert "java" not in str(refused.value)
