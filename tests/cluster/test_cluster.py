"""rowtime on a cluster: right rows if all executors share the driver's disk, and an error if one does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

HERE = Path(__file__).parent

SCRIPTS = ("windows/sliding.sql", "queries/order_by.sql", "pumps/pump_chain.sql", "files")
MORE = ("windows/cascade.sql", "windows/hop.sql", "groups/distinct.sql", "lateness/view.sql")
"""Of the long form."""


def environment(cluster: Any, cores: int) -> dict[str, str]:
    return {**os.environ, "ROWTIME_SPARK_CONF": f"{cluster.conf},spark.cores.max={cores}"}


def test_scripts_on_two_executors(cluster: Any, tmp_path: Path, thorough: bool) -> None:
    scripts = SCRIPTS + MORE if thorough else SCRIPTS
    done = subprocess.run(
        [sys.executable, str(HERE / "scripts.py"), str(tmp_path), *scripts],
        check=False, capture_output=True, text=True, timeout=500, env=environment(cluster, 2),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert {name: fault for name, fault in found["faults"].items() if fault} == {}
    assert found["executors"] == 2


def test_the_command_line_names_the_cluster(cluster: Any, tmp_path: Path) -> None:
    master = f"spark://127.0.0.1:{cluster.port}"
    local = environment(cluster, 2)["ROWTIME_SPARK_CONF"].replace(master, "local[1]")
    sql = "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (3); SELECT SUM(n) FROM t;"
    command = [sys.executable, "-m", "rowtime_cli.main", "run", "--warehouse", str(tmp_path / "w"), "-e", sql]
    command += ["--master", master, "--conf", "spark.app.name=named, by=the command"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=300,
        env={**os.environ, "ROWTIME_SPARK_CONF": local},
    )  # fmt: skip
    assert done.returncode == 0 and "6" in done.stdout.split(), done.stdout + done.stderr
    with urlopen(f"http://127.0.0.1:{cluster.pages}/json/") as page:
        state = json.load(page)
    ran = [each["name"] for each in (*state["activeapps"], *state["completedapps"])]
    assert ran.count("named, by=the command") == 1


def test_an_executor_without_the_disk(cluster: Any, hideable: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, str(HERE / "unshared.py"), str(tmp_path), str(hideable)],
        # Spark first waits for as many cores as it may have; the third arrives later.
        env={**environment(cluster, 3), "ROWTIME_SPARK_CONF": environment(cluster, 3)["ROWTIME_SPARK_CONF"].replace(
            "minRegisteredResourcesRatio=1.0", "minRegisteredResourcesRatio=0.6")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if line.strip() == "ready":
            cluster.worker(hidden=hideable)
        said, faults = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, faults
    found = json.loads(said.splitlines()[-1])
    assert found.pop("elsewhere") == "[(1,)]"
    for what, text in found.items():
        assert "RT0626" in text, (what, text)
        assert "does not see the files that the driver on" in text, (what, text)
    assert f"the warehouse '{hideable / 'warehouse'}'" in found["next query"]
    assert f"the folder of foreign table 'F' '{hideable / 'out'}'" in found["file target"]
    assert not list(hideable.rglob("_rowtime_shared_*"))


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]"])
def test_a_local_session_needs_no_check(master: str) -> None:
    from types import SimpleNamespace

    from rowtime.runtime.cluster.shared import is_one_process

    assert is_one_process(SimpleNamespace(sparkContext=SimpleNamespace(master=master)))  # type: ignore[arg-type]
