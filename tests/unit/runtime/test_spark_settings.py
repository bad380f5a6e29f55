"""ROWTIME_SPARK_CONF: settings of Spark from the environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.jvm import archive
from rowtime.jvm.java import find_java
from rowtime.runtime.spark import closed_settings, driver_options, environment_settings


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


@pytest.mark.parametrize("given", [{}, {"spark.driver.extraJavaOptions": "-XX:+UseSerialGC -Da='b c'"}])
def test_options_of_the_jvm_follow_those_of_rowtime(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> None:
    monkeypatch.setattr(archive, "flags", lambda *_, **__: ["-XX:SharedArchiveFile=/c/spark.jsa"])
    more = {**given, "spark.driver.memory": "1g"}
    found = driver_options(find_java(), more, debugging=False)
    own, archived, logged = (found.find(name) for name in ("-Djava.io.tmpdir=", "/c/spark.jsa", "-Dlog4j2."))
    assert min(own, archived, logged) >= 0
    assert more == {"spark.driver.memory": "1g"}
    for options in given.values():
        assert found.endswith(f" {options}")
    # The archive that one JVM writes is used by all others.
    written = driver_options(find_java(), dict(given), debugging=False, dump_to=Path("/c/new.jsa"))
    assert "UseSerialGC" not in written


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
