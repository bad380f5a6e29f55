"""A warehouse whose catalog is in PostgreSQL, from the command line and with pumps, while the server crashes."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from modules import load_module
from postgres_server import PASSWORD, Postgres
from pyspark.sql import SparkSession
from queries import eventually

from rowtime.opening import connect
from rowtime.session import Session


@pytest.fixture
def url(postgres: Postgres) -> str:
    pytest.importorskip("psycopg")
    postgres.run("DROP SCHEMA IF EXISTS rowtime CASCADE")
    return f"postgresql://me:{PASSWORD}@127.0.0.1:{postgres.port}/postgres"


def rows(session: Session, table: str) -> list[int]:
    return sorted(row[0] for row in session.sql(f"SELECT n FROM {table}"))


@pytest.mark.usefixtures("interpreted")
def test_pumps_write_each_row_once_while_the_server_crashes(
    spark: SparkSession, postgres: Postgres, url: str, tmp_path: Path
) -> None:
    wanted = []
    for number in range(3):
        with connect(spark, tmp_path / "w", catalog=url) as rt:
            if number == 0:
                rt.sql("CREATE STREAM numbers (n INTEGER) OPTIONS (history 'all')")
                rt.sql("CREATE TABLE doubled (n INTEGER)")
                rt.sql("CREATE PUMP p STARTED AS INSERT INTO doubled SELECT STREAM n * 2 FROM numbers")
            for step in range(3):
                value = 3 * number + step
                if step == 1:
                    postgres.kill()
                    restart = threading.Timer(1.0, postgres.start)
                    restart.start()
                rt.sql(f"INSERT INTO numbers VALUES (TIMESTAMP '2024-05-01 10:{value:02}:00', {value})")
                rt.sql(f"CREATE TABLE t{value} AS SELECT {value} AS n")
                wanted.append(2 * value)
            restart.join()
            eventually(lambda: rows(rt, "doubled") == wanted)
            assert [rows(rt, f"t{value}") for value in range(len(wanted))] == [[value] for value in range(len(wanted))]


@pytest.mark.usefixtures("interpreted")
def test_another_process_stops_a_pump(spark: SparkSession, postgres: Postgres, url: str, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        place = ["--warehouse", str(tmp_path / "w"), "--catalog", url]
        command = [sys.executable, "-m", "rowtime_cli.main", *arguments, *place]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    with connect(spark, tmp_path / "w", catalog=url) as rt:
        rt.sql("CREATE STREAM numbers (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE TABLE copied (n INTEGER)")
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO copied SELECT STREAM n FROM numbers")
        eventually(lambda: bool(rt.runtime.pumps.running()))
        assert "NUMBERS" in run("stream", "list")
        run("validate", "-e", "SELECT STREAM n + 1 FROM numbers")
        run("pump", "stop", "p")
        eventually(lambda: not rt.runtime.pumps.running(), 20)
        assert "STOPPED" in run("pump", "list")
    assert postgres.run("SELECT count(*) FROM rowtime.object WHERE since > 0") == ["3"]


SCRIPTS = ("pumps/replaced_by_another.sql", "relational/table_changes.sql")


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(spark: SparkSession, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Scripts that change the catalog most, with the rows that they have with a catalog in the warehouse."""
    monkeypatch.setenv("ROWTIME_CATALOG", url)
    sql = Path(__file__).parents[1] / "sql"
    scripts = load_module(sql / "test_scripts.py", "sql_scripts")
    scripts.as_written(scripts.cases.read(sql / name), spark, tmp_path)
    assert (tmp_path / "catalog.json").exists()
