"""What is said of executors with other versions or another time. tests/cluster has such executors."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest
from pyspark import cloudpickle

from rowtime.errors import RowtimeError
from rowtime.runtime.cluster import executors
from rowtime.runtime.cluster.executors import ClockReading, Installed, check_clocks, check_installed
from rowtime.version import __version__

HERE = ".".join(platform.python_version_tuple()[:2])


@pytest.mark.parametrize(
    ("read", "difference"),
    [(10_000, 0), (10_400, 0), (10_200, 0), (9_500, -500), (11_400, 1_000), (12_000, 1_600), (8_999, -1_001)],
)
def test_how_far_a_clock_differs_at_least(read: int, difference: int) -> None:
    assert ClockReading("0", "h", read, 10_000, 10_400).difference == difference


def test_clocks() -> None:
    near = [ClockReading("0", "a", 9_000, 10_000, 10_100), ClockReading("1", "a", 11_100, 10_000, 10_100)]
    check_clocks(near)
    with pytest.raises(RowtimeError) as caught:
        check_clocks([*near, ClockReading("2", "b", 5_000, 10_000, 10_100), ClockReading("3", "c", 99_100, 0, 100)])
    assert caught.value.code == "RT0654"
    assert (
        "that of executor 2 on b is at least 5.0 seconds behind; that of executor 3 on c is at least 99.0 seconds"
        in str(caught.value)
    )


def test_versions() -> None:
    same = [Installed("0", "a", HERE, __version__), Installed("1", "a", HERE, None)]
    check_installed(same)
    with pytest.raises(RowtimeError) as caught:
        check_installed([*same, Installed("2", "b", "2.7", __version__), Installed("3", "c", HERE, "0.0.1")])
    assert caught.value.code == "RT0653"
    assert f"executor 2 on b runs Python 2.7, and the driver {HERE}" in str(caught.value)
    assert f"executor 3 on c runs rowtime 0.0.1, and the driver {__version__}" in str(caught.value)


def test_the_function_needs_no_rowtime() -> None:
    program = "import pickle, sys; sys.modules['rowtime'] = None; print(pickle.load(sys.stdin.buffer)('7\\thost'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=cloudpickle.dumps(executors._installed()),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == f"('7', 'host', '{HERE}', None)"


def test_a_python_that_spark_refuses() -> None:
    message = (
        "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
        '  File "worker_util.py", line 86, in check_python_version\n'
        "pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different "
        "version: 3.9 than that in driver: 3.11, PySpark cannot run with different minor versions.\n"
    )
    found = executors._other_python(message)
    assert found is not None and found.code == "RT0653"
    assert f"an executor runs Python 3.9, and the driver {HERE}" in str(found)
    assert executors._other_python('Cannot run program "python3"') is None
