"""What users see of errors inside Spark."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest
from py4j.protocol import Py4JError

from rowtime.errors import error
from rowtime.jvm import process
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
            "[ARITHMETIC_OVERFLOW] overflow. Use 'try_add' to tolerate overflow and return NULL instead. "
            "SQLSTATE: 22003",
            "The query failed: overflow (ARITHMETIC_OVERFLOW)",
        ),
        (
            '[CAST_INVALID_INPUT] The value \'a\' of the type "STRING" cannot be cast to "INT" because it is '
            "malformed. Correct the value.\n\tat org.apache.spark",
            'The query failed: The value \'a\' of the type "STRING" cannot be cast to "INT" because it is '
            "malformed. Correct the value (CAST_INVALID_INPUT)",
        ),
        (
            "[STREAM_FAILED] Query terminated with exception: Broken pipe SQLSTATE: XXKST\nmore",
            "The query failed: Broken pipe",
        ),
        (
            "An error occurred while calling o81.count.\n: java.io.IOException: Broken pipe\n\tat x.Y(Z)",
            "The query failed: Broken pipe",
        ),
        (
            "[STREAM_FAILED] Query terminated with exception: An exception was raised by the Python Proxy. "
            "Return Message: Traceback \npy4j.protocol.Py4JJavaError: An error occurred\n"
            "Caused by: java.lang.IllegalStateException: Invalid records could not be written to file:/x",
            "The query failed: Invalid records could not be written to file:/x",
        ),
        (
            "[CAST_INVALID_INPUT] The value 'java.lang.FooException' of the type is malformed",
            "The query failed: The value 'java.lang.FooException' of the type is malformed (CAST_INVALID_INPUT)",
        ),
        ("java.lang.OutOfMemoryError: Java heap space", "The query failed: Spark has too little memory for it"),
    ],
)
def test_one_line_of_what_happened(text: str, message: str) -> None:
    fault = query_fault(RuntimeError(text), "The query")
    assert (fault.code, fault.diagnostics[0].message) == ("RT0510", message)


def test_state_with_other_types_is_of_another_version() -> None:
    said = (
        "[STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE] Provided key schema does not match existing state key schema.\n"
        "Please check number and type of fields.\nExisting key_schema=StructType(StructField(t,TimeType(6),true))"
    )
    (found,) = query_fault(RuntimeError(said), "Pump 'P'", anew="ALTER PUMP p START RESET").diagnostics
    assert found.code == "RT0516"
    assert "it was written by another version of rowtime" in found.message
    assert found.hint == "ALTER PUMP p START RESET"


def test_a_date_before_the_year_1_is_out_of_range() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        date.fromordinal(0)
    fault = query_fault(raised.value, "The query")
    said = "The query failed: year 0 is out of range"
    assert (fault.code, fault.diagnostics[0].message) == ("RT0555", said)


@pytest.mark.parametrize(("space", "named"), [((1, 2), "/temporary"), ((2, 1), "/checkpoint")])
def test_a_full_disk_has_a_code_of_its_own(monkeypatch: pytest.MonkeyPatch, space: tuple[int, int], named: str) -> None:
    """Spark does not say which disk it is."""
    places = dict(zip(("/temporary", "/checkpoint"), space, strict=True))
    monkeypatch.setattr("rowtime.catalog.faults._space", lambda place: places[str(place)])
    monkeypatch.setattr("rowtime.runtime.faults.temporary_folders", lambda: [Path("/temporary")])
    text = "[STREAM_FAILED] Query terminated with exception: java.io.IOException: No space left on device\nmore"
    fault = query_fault(RuntimeError(text), "Pump 'P'", Path("/checkpoint"))
    said = f"Pump 'P' failed: no space is left on the disk of '{named}'"
    assert (fault.code, fault.diagnostics[0].message) == ("RT0608", said)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "java.lang.NullPointerException",
        "An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):",
        "[INTERNAL_ERROR] class org.apache.spark.unsafe.types.UTF8String cannot be cast to class java.lang.Long",
        'java.lang.NullPointerException: Cannot invoke "org.apache.spark.X.y()" because "this.z" is null',
    ],
)
def test_the_insides_of_programs_go_to_the_log(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWTIME_WAREHOUSE", str(tmp_path))
    (found,) = query_fault(RuntimeError(text), "The query").diagnostics
    assert (found.code, found.message) == ("RT0510", "The query failed for an unknown reason")
    assert found.hint == f"For details, see '{tmp_path / 'errors.log'}'"
    assert text in (tmp_path / "errors.log").read_text()


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("Illegal jsonpath spec 'x'", "JSON_VALUE cannot be computed: Illegal jsonpath spec 'x'"),
        ("NumberFormatException", "JSON_VALUE cannot be computed from its arguments"),
        (
            'Cannot invoke "String.length()" because "<local4>" is null',
            "JSON_VALUE cannot be computed from its arguments",
        ),
    ],
)
def test_what_calcite_says(why: str, said: str) -> None:
    fault = query_fault(
        RuntimeError(f"java.lang.IllegalStateException: JSON_VALUE cannot be computed: {why}"), "The query"
    )
    assert fault.diagnostics[0].message == f"The query failed: {said}"


def test_a_connection_that_ends() -> None:
    fault = query_fault(Py4JError("Error while sending a command."), "The query")
    assert fault.diagnostics[0].message == "The query failed: the connection to Spark has ended"


def test_diagnostics_stay_what_they_are() -> None:
    fault = error("RT0502", "A row does not fit")
    assert query_fault(fault, "The query") is fault


@pytest.mark.parametrize(
    "said",
    [
        "Answer from Java side is empty",
        # py4j says so if the JVM ends between a question about a class and its answer.
        "io.rowtime.spark.SessionSettings.copy does not exist in the JVM",
    ],
)
def test_a_jvm_that_is_ending(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    # The connections of a JVM end before its process does.
    with subprocess.Popen(["/bin/sh", "-c", "sleep 0.3; kill -9 $$"]) as jvm:
        monkeypatch.setattr(process, "_process", lambda gateway: jvm)
        assert query_fault(Py4JError(said), "The query").code == "RT0638"
