"""A SparkSession that was started without rowtime."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.jvm.jars import spark_jars_setting

pytestmark = pytest.mark.spark

_PROGRAM = """
import sys
from pyspark.sql import SparkSession
from rowtime.errors import RowtimeError
from rowtime.opening import connect
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
try:
    connect(builder.getOrCreate(), sys.argv[1])
except RowtimeError as fault:
    print(fault)
"""


def test_the_error_names_the_setting(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path / "w")],
        capture_output=True, text=True, timeout=280, check=True,
    )  # fmt: skip
    assert "RT0614: This SparkSession was started without the jars of rowtime" in done.stdout
    assert f'SparkSession.builder.config("spark.jars", "{spark_jars_setting()}")' in done.stdout
    assert "Traceback" not in done.stderr
