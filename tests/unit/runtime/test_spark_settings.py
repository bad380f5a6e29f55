"""ROWTIME_SPARK_CONF: settings of Spark from the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from queries import drain

from rowtime.errors import RowtimeError
from rowtime.jvm import archive
from rowtime.jvm.java import find_java
from rowtime.opening import connect
from rowtime.runtime.cluster.spark import check_settings, closed_settings, driver_options, environment_settings
from rowtime.session import Session
from rowtime_cli.main import main
from rowtime_cli.spark_conf import spark_conf


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


def test_a_session_that_distinguishes_names_by_case_is_refused(spark: Any, tmp_path: Path) -> None:
    """Rows of a stream of files whose fields have other cases than its columns would be lost."""
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(RowtimeError, match=r"RT0660: 'spark\.sql\.caseSensitive' of the session is 'true'"):
            connect(spark, tmp_path / "w")
    finally:
        spark.conf.unset("spark.sql.caseSensitive")
    assert not (tmp_path / "w").exists()


def test_a_cluster_has_its_own_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    # Its executors must reach the driver, which has the address of its host.
    assert closed_settings({"spark.master": "spark://somewhere:7077"}) == {}
    address = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    local = closed_settings({"spark.master": "local[2]"})
    assert local == {"spark.authenticate": "true", **address, "spark.local.dir": local["spark.local.dir"]}
    monkeypatch.setenv("SPARK_LOCAL_DIRS", "/fast")
    assert closed_settings({}) == {"spark.authenticate": "true", **address}


@pytest.mark.parametrize(
    ("master", "given", "settings"),
    [
        (None, None, {}),
        ("local[3]", [], {"spark.master": "local[3]"}),
        (None, ["spark.jars=a.jar,b.jar", " spark.x = a=b "], {"spark.jars": "a.jar,b.jar", "spark.x": "a=b"}),
        ("yarn", ["spark.master=local", "spark.x=", "spark.x=2"], {"spark.master": "yarn", "spark.x": "2"}),
    ],
)
def test_options_of_the_command_line(master: str | None, given: list[str] | None, settings: dict[str, str]) -> None:
    assert spark_conf(master, given) == settings


@pytest.mark.parametrize("command", ["run", "shell", "serve", "doctor", "pump run"])
def test_invalid_options_of_the_command_line(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    more = ["-e", "SHOW TABLES"] if command == "run" else []
    for text in ("spark.executor.memory", "executor.memory=2g", "=2g"):
        assert main([*command.split(), *more, "--warehouse", str(tmp_path), "--conf", text]) == 2
        assert f"RT0660: --conf takes a setting of Spark and its value, not '{text}'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("spark.sql.session.timeZone", "Europe/Berlin", "has to be 'UTC', and not 'Europe/Berlin'"),
        ("spark.sql.ansi.enabled", "false", "has to be 'true', and not 'false'"),
        ("spark.sql.caseSensitive", "perhaps", "has to be 'false', and not 'perhaps'"),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY", "cannot be set"),
    ],
)
def test_settings_with_which_results_would_be_wrong(key: str, value: str, problem: str) -> None:
    with pytest.raises(RowtimeError, match=f"RT0660: '{key}' {problem}: the results of rowtime depend on it"):
        check_settings({"spark.master": "local[1]", key: value})
    check_settings(
        {"spark.sql.ansi.enabled": "TRUE", "spark.sql.shuffle.partitions": "3", "spark.sql.session.timeZone": "UTC"}
    )


def test_local_masters() -> None:
    for master in ("local[x]", "local[0]", "localhost", "local[2"):
        with pytest.raises(RowtimeError, match="RT0660: Spark has no master 'local"):
            check_settings({"spark.master": master})
    for master in ("local", "local[*]", "local[2, 3]", "local-cluster[2,1,1024]", "yarn"):
        check_settings({"spark.master": master})


def test_settings_of_the_users_session_do_not_change_results(rt: Session) -> None:
    key = "spark.sql.legacy.statisticalAggregate"
    rt.spark.conf.set(key, "true")
    try:
        rt.sql("CREATE STREAM f (n INTEGER)")
        query = rt.sql(
            "SELECT STREAM op, payload.* FROM TO_CHANGELOG((SELECT SUM(n) AS n, STDDEV_SAMP(n) AS d FROM f))"
        )
        rt.sql("INSERT INTO f (n) VALUES (5)")
        assert drain(query) == [(0, 5, None)]
    finally:
        rt.spark.conf.unset(key)


_REFUSED = """
import sys, rowtime
try:
    rowtime.connect(warehouse="w", conf=dict([sys.argv[1].split("=", 1)]))
except rowtime.RowtimeError as fault:
    print(fault)
"""


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("spark.master=foo", "Master must either be yarn or start with spark, k8s, or local"),
        ("spark.sql.shuffle.partitions=abc", "abc"),
        ("spark.driver.memory=abc", "Invalid maximum heap size: -Xmxabc"),
    ],
)
def test_settings_that_spark_refuses(tmp_path: Path, setting: str, reason: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _REFUSED, setting], check=False, capture_output=True, text=True, timeout=300,
        cwd=tmp_path,
    )  # fmt: skip
    first, *more = done.stdout.splitlines()
    assert first.startswith("error RT0615: Spark did not start: "), done.stderr
    assert reason in first
    assert "org." not in done.stdout and "java." not in done.stdout and "Traceback" not in done.stderr
    hint = "".join(more)
    assert "Check the settings " in hint and setting.partition("=")[0] in hint


_CONFIGURED = """
import rowtime
from pyspark.sql import SparkSession

with rowtime.connect(warehouse="w", conf={"spark.master": "local[3]", "spark.app.name": "a,b=c"}) as rt:
    conf = rt.spark.sparkContext.getConf()
    print(rt.spark.sparkContext.master, conf.get("spark.app.name"), conf.get("spark.driver.memory"))
    try:
        rowtime.connect(rt.spark, "other", conf={"spark.master": "local[1]"})
    except rowtime.RowtimeError as fault:
        print(fault)
"""


def test_settings_of_a_session_come_before_those_of_the_environment(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CONFIGURED], check=False, capture_output=True, text=True, timeout=300, cwd=tmp_path,
        env={**os.environ, "ROWTIME_SPARK_CONF": "spark.master=local[1],spark.driver.memory=1g"},
    )  # fmt: skip
    first, second, *_ = done.stdout.splitlines()
    assert first == "local[3] a,b=c 1g", done.stderr
    assert "RT0660: Spark runs already, so spark.master cannot be set" in second
    assert not (tmp_path / "other").exists()
