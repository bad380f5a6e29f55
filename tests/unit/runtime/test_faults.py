"""What users see of errors inside Spark."""

from __future__ import annotations

import pytest

from rowtime.errors import error
from rowtime.runtime.faults import query_fault

SPARK = """[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: [DIVIDE_BY_ZERO] Division by zero. Use \
`try_divide` to tolerate divisor being 0 and return NULL instead. If necessary set "spark.sql.ansi.enabled" to "false" \
to bypass this error. SQLSTATE: 22012
== SQL (line 1, position 1) ==
SQLSTATE: XXKST
=== Streaming Query ===
Identifier: [id = 1]"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPARK, "The query failed: Division by zero (DIVIDE_BY_ZERO)"),
        (
            '[CAST_INVALID_INPUT] The value \'a\' of the type "STRING" cannot be cast to "INT" because it is '
            "malformed. Correct the value.\n\tat org.apache.spark",
            'The query failed: The value \'a\' of the type "STRING" cannot be cast to "INT" because it is '
            "malformed. Correct the value (CAST_INVALID_INPUT)",
        ),
        (
            "[STREAM_FAILED] Query terminated with exception: No space left on device SQLSTATE: XXKST\nmore",
            "The query failed: No space left on device",
        ),
        ("", "The query failed: unknown"),
    ],
)
def test_one_line_of_what_happened(text: str, message: str) -> None:
    fault = query_fault(RuntimeError(text), "The query")
    assert (fault.code, fault.diagnostics[0].message) == ("RT0510", message)


def test_diagnostics_stay_what_they_are() -> None:
    fault = error("RT0502", "A row does not fit")
    assert query_fault(fault, "The query") is fault
