"""ROWTIME_SPARK_CONF: settings of Spark from the environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.runtime.spark import closed_settings, environment_settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", {}),
        ("spark.driver.memory=1g", {"spark.driver.memory": "1g"}),
        (
            "spark.driver.memory=1g, spark.master=local[2],\nspark.ui.enabled = true\n",
            {"spark.driver.memory": "1g", "spark.master": "local[2]", "spark.ui.enabled": "true"},
        ),
        (
            "spark.jars=/a b/a.jar,/c/d.jar,spark.driver.extraJavaOptions=-Da=1 -Db=2,3",
            {"spark.jars": "/a b/a.jar,/c/d.jar", "spark.driver.extraJavaOptions": "-Da=1 -Db=2,3"},
        ),
    ],
)
def test_settings_are_parted_where_the_next_one_begins(
    monkeypatch: pytest.MonkeyPatch, text: str, settings: dict[str, str]
) -> None:
    monkeypatch.setenv("ROWTIME_SPARK_CONF", text)
    assert environment_settings() == settings


_STARTED = """
import os, pathlib, stat
import rowtime

with rowtime.connect(warehouse="w") as rt:
    rt.sql("CREATE TABLE s (n INTEGER)")
    print(rt.sql("SELECT COUNT(*) FROM s").rows()[0][0])
    context = rt.spark.sparkContext
    security = context._jvm.org.apache.spark.SparkEnv.get().securityManager()
    print(security.isAuthenticationEnabled(), len(security.getSecretKey()) > 30)
    folder = pathlib.Path(context.getConf().get("spark.local.dir"))
    print(oct(stat.S_IMODE(folder.stat().st_mode)), any(p.name.startswith("blockmgr") for p in folder.iterdir()))
print(folder)
"""


def test_other_users_enter_neither_sparks_ports_nor_its_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _STARTED]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    *said, folder = done.stdout.splitlines()
    assert said == ["0", "True True", "0o700 True"], done.stderr
    assert not Path(folder).exists()


def test_a_cluster_has_its_own_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    assert closed_settings({"spark.master": "spark://somewhere:7077"}) == {}
    assert closed_settings({"spark.master": "local[2]"}).keys() == {"spark.authenticate", "spark.local.dir"}
    monkeypatch.setenv("SPARK_LOCAL_DIRS", "/fast")
    assert closed_settings({}) == {"spark.authenticate": "true"}
