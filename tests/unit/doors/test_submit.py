"""Scripts that spark-submit starts: they connect to its JVM, with its settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
from quick_jvm import QUICK

from rowtime.jvm.java import prepare_for_spark

pytestmark = pytest.mark.spark

SPARK = Path(pyspark.__file__).parent
ROWTIME = Path(sys.executable).with_name("rowtime")
JOB = """
import rowtime
with rowtime.connect(warehouse="w") as rt:
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("INSERT INTO t VALUES (1), (2)")
    print("rows", [tuple(row) for row in rt.table("SELECT SUM(n) AS n FROM t").collect()])
    print("master", rt.spark.sparkContext.master, rt.spark.sparkContext.appName)
"""


def submit(folder: Path, *options: str, master: str = "local[2]") -> subprocess.CompletedProcess[str]:
    """Runs the job by spark-submit."""
    prepare_for_spark()
    (folder / "job.py").write_text(JOB)
    command = [str(SPARK / "bin" / "spark-submit"), "--master", master, "--name", "job", "--driver-memory", "1g"]
    command += ["--driver-java-options", QUICK, *options, "job.py"]
    environment = {
        **os.environ,
        "SPARK_HOME": str(SPARK),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


def test_a_submitted_script_runs_with_the_settings_of_the_command(tmp_path: Path) -> None:
    made = subprocess.run([ROWTIME, "spark-conf"], capture_output=True, text=True, check=True)
    assert made.stderr == ""
    (tmp_path / "rowtime.conf").write_text(made.stdout)
    done = submit(tmp_path, "--properties-file", "rowtime.conf")
    assert (done.returncode, done.stdout.splitlines()) == (0, ["rows [(3,)]", "master local[2] job"]), done.stderr


def test_a_submitted_script_without_the_jars_is_told_of_the_command(tmp_path: Path) -> None:
    done = submit(tmp_path)
    assert done.returncode != 0
    # spark-submit writes all that Python says to its standard output.
    assert "RT0614" in done.stdout and "rowtime spark-conf > rowtime.conf" in done.stdout, done.stdout
