"""A secret in a statement appears in no output: whatever its form, and whatever fails."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.explain import html
from rowtime.explain.analysis import analyze
from rowtime.explain.forms import FORMS
from rowtime.runtime.statements import describe, show
from rowtime.secrets import memory
from rowtime.session import Session
from rowtime.shell.history import open_history

PW = "Hun7er2Secret"

SHAPES = {
    "jdbc password": f"connector 'jdbc', url 'jdbc:nothing://h/d', table 't', user 'bob', password '{PW}'",
    "jdbc.pwd": f"connector 'jdbc', url 'jdbc:nothing://h/d', table 't', jdbc.pwd '{PW}'",
    "a user in a URL": f"connector 'jdbc', url 'jdbc:nothing://bob:p@{PW}@h/d', table 't'",
    "Oracle": f"connector 'jdbc', url 'jdbc:oracle:thin:bob/{PW}@127.0.0.1:1/x', table 't'",
    "?key=": f"connector 'jdbc', url 'jdbc:nothing://h/d?ssl=true&key={PW}', table 't'",
    ";password=": f"connector 'jdbc', url 'jdbc:sqlserver://h;databaseName=d;password={PW}', table 't'",
    "jaas": "connector 'kafka', servers '127.0.0.1:1', topic 't', 'kafka.sasl.jaas.config' "
    f'\'org.apache.kafka.common.security.plain.PlainLoginModule required username="bob" password="{PW}";\'',
    "a key": f"connector 'kafka', servers '127.0.0.1:1', topic 't', 'kafka.ssl.keystore.key' '{PW}'",
    "a server": f"connector 'kafka', servers 'bob:{PW}@127.0.0.1:1', topic 't'",
    "a registry": "connector 'kafka', servers '127.0.0.1:1', topic 't', format 'avro', avro_registry "
    f"'http://127.0.0.1:1', avro_registry_user 'bob', avro_registry_password '{PW}'",
    "a registry's URL": "connector 'kafka', servers '127.0.0.1:1', topic 't', format 'avro', avro_registry "
    f"'http://bob:{PW}@127.0.0.1:1'",
    "auth": f"connector 'python', class 'no_such:Thing', auth '{PW}'",
    "bearer": f"connector 'python', class 'no_such:Thing', bearer '{PW}'",
    "api_key": f"connector 'python', class 'no_such:Thing', api_key '{PW}'",
    "a path": f"connector 'files', path 's3a://key:{PW}@bucket/x', format 'json'",
}

# Mistakes that users make.
WRONG = [
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'files', path '/no/such', format 'json', pass '{}')",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password 'a{}b'c')",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password {})",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password \"{}\")",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password 'x' '{}' y)",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc' password '{}')",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password '{}'",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password '{}",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTONS (connector 'jdbc', password '{}')",
    "CREATE FOREIGN TABLE t (n NOTHING) OPTIONS (connector 'jdbc', password '{}')",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', password '{}', password '{}')",
    "CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'jdbc', url 'jdbc:oracle:thin:bob/{}@h' 'x', 1)",
    "CREATE STREAM t (n INTEGER) OPTIONS (password '{}')",
]


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """Separates the interfaces: secrets that another one has learned are unknown."""
    memory.forget()
    yield
    memory.forget()


def _create(shape: str, name: str = "t") -> str:
    return f"CREATE FOREIGN TABLE {name} (n INTEGER) OPTIONS ({SHAPES[shape]})"


@pytest.mark.parametrize("shape", SHAPES)
def test_show_describe_and_explain(tmp_path: Path, planner: Any, shape: str) -> None:
    catalog = MemoryCatalog()
    analysis = analyze(f"{_create(shape)};\nSELECT n FROM t;\nSELECT nothing FROM t", catalog, planner)
    memory.forget()
    for form in FORMS.values():
        assert PW not in form(analysis, "x.sql")
    with Store(tmp_path / "warehouse") as store:
        planned = analysis.statements[0].planned
        assert planned is not None
        store.commit(planned["changes"])
        shown = [show(store, "FOREIGN TABLES"), show(store, "TABLES"), describe(store, "T")]
        assert PW not in str(shown) and "OPTIONS" in str(shown)


def test_the_command_line(tmp_path: Path) -> None:
    """All forms in one script, by the commands that print any part of it."""
    script = ";\n".join(
        [*(_create(shape, f"t{n}") for n, shape in enumerate(SHAPES)), "SELECT x FROM t0", "SELECT n FROM t0"]
    )
    (tmp_path / "s.sql").write_text(script)
    for arguments in (
        ["validate", "s.sql"],
        ["validate", "--format", "json", "s.sql"],
        *(["explain", "--format", form, "s.sql"] for form in ("text", "json", "mermaid", "html")),
    ):
        done = _rowtime(*arguments, cwd=tmp_path)
        assert done.returncode == 1 and PW not in done.stdout + done.stderr, arguments
    for number, wrong in enumerate(WRONG):
        (tmp_path / f"{number}.sql").write_text(wrong.format(*[PW] * wrong.count("{}")))
    everything = ";\n".join(file.read_text() for file in sorted(tmp_path.glob("[0-9]*.sql"))[:6])
    done = _rowtime("validate", "-e", everything, cwd=tmp_path)
    assert done.returncode == 1 and PW not in done.stdout + done.stderr, done.stdout


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_in_a_statement(planner: Any, wrong: str) -> None:
    from rowtime.errors import render_all

    source = wrong.format(*[PW] * wrong.count("{}"))
    analysis = analyze(source, MemoryCatalog(), planner)
    assert analysis.diagnostics
    for shown in (render_all(analysis.diagnostics, source), html.render(analysis, "x"), str(analysis.diagnostics)):
        assert PW not in shown and PW.upper() not in shown


def test_logs_and_history(tmp_path: Path) -> None:
    code = textwrap.dedent(f"""
        import sys
        from rowtime import faults
        sys.argv = ["rowtime", "run", "-e", {_create("jaas")!r}]
        try:
            raise ValueError({PW!r})
        except ValueError as fault:
            print(faults.diagnostics_of(fault)[0].hint)
        """)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "ROWTIME_WAREHOUSE": str(tmp_path / "w")}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True, capture_output=True)
    (log,) = tmp_path.rglob("errors.log")
    assert PW not in log.read_text() and "***" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    history = open_history(tmp_path / "state")
    for shape in SHAPES:
        history.append_string(_create(shape))
    kept = tmp_path / "state" / "history"
    assert PW not in kept.read_text() and kept.read_text().count("CREATE FOREIGN TABLE") == len(SHAPES)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_rights(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = tmp_path / "a" / "warehouse"
        with Store(folder) as store:
            store.set_note("x", "y", 1)
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}
        assert modes.pop("warehouse") == 0o700
        assert set(modes.values()) == {0o600} and {"catalog.db", "catalog.db-wal"} <= set(modes)
        # One from before.
        for path in (folder, folder / "streams"):
            path.mkdir(exist_ok=True)
            path.chmod(0o755)
        (folder / "catalog.db").chmod(0o644)
        Store(folder).close()
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "streams", folder / "catalog.db")] == [
            0o700, 0o700, 0o600,
        ]  # fmt: skip
        # A folder that is a user's home keeps its permissions.
        home = tmp_path / "home"
        (home / "public").mkdir(parents=True)
        home.chmod(0o755)
        Store(home).close()
        assert stat.S_IMODE(home.stat().st_mode) == 0o755
        assert stat.S_IMODE((home / "catalog.db").stat().st_mode) == 0o600
    finally:
        os.umask(before)


# --- with Spark -------------------------------------------------------------------------------------------------------

ADAPTER = """
    from pyspark.sql.datasource import DataSource, DataSourceReader

    class Telling(DataSource):
        def reader(self, schema):
            return Reader(self.options)

    class Reader(DataSourceReader):
        def __init__(self, options):
            self.options = options

        def read(self, partition):
            assert "token_env" not in self.options
            if self.options.get("fails"):
                raise ValueError("the token " + self.options["token"] + " is wrong")
            yield (len(self.options["token"]),)
"""


def test_faults_of_connectors(rt: Session) -> None:
    for number, shape in enumerate(SHAPES):
        rt.sql(_create(shape, f"t{number}"))
        with pytest.raises(RowtimeError) as caught:
            rt.table(f"SELECT n FROM t{number}")
        assert PW not in str(caught.value) + repr(caught.value.diagnostics), shape


def test_plans_of_spark(rt: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that gets a secret from the environment works, and Spark shows the secret nowhere."""
    (tmp_path / "telling.py").write_text(textwrap.dedent(ADAPTER))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("TOKEN_OF_TELLING", PW)
    (tmp_path / "token").write_text(PW + "\n")
    for name, more in (
        ("a", "token_env 'TOKEN_OF_TELLING'"), ("b", f"token_file '{tmp_path / 'token'}'"), ("c", f"token '{PW}'"),
        ("e", f"token_file '{tmp_path / 'token'}', does 'token'"),
    ):  # fmt: skip
        which = "'java', class 'examples.TestAdapter'" if name == "e" else "'python', class 'telling:Telling'"
        rt.sql(f"CREATE FOREIGN TABLE {name} (n INTEGER) OPTIONS (connector {which}, {more})")
        assert [row.N for row in rt.table(f"SELECT n FROM {name}").collect()] == [len(PW)]
        frame = rt.table(f"SELECT n + 1 AS m FROM {name}")
        for mode in ("simple", "extended", "formatted", "cost"):
            assert PW not in frame._jdf.queryExecution().explainString(_mode(rt, mode))
        frame.collect()
    rt.sql(
        "CREATE FOREIGN TABLE d (n INTEGER) OPTIONS (connector 'python', class 'telling:Telling', fails 'yes', "
        "token_env 'TOKEN_OF_TELLING')"
    )
    with pytest.raises(RowtimeError) as caught:
        rt.sql("SELECT n FROM d").rows()
    assert PW not in str(caught.value) and "RT0547" in str(caught.value)
    shown = rt.spark._jsparkSession.sharedState().statusStore().executionsList()
    listed = [shown.apply(n) for n in range(shown.size())]
    assert listed
    for one in listed:
        assert PW not in f"{one.description()} {one.details()} {one.physicalPlanDescription()}"
    state = [entry.definition for entry in rt.store.entries() if entry.name in ("A", "B", "D", "E")]
    assert PW not in json.dumps(state)


def _mode(rt: Session, name: str) -> Any:
    return rt.spark._jvm.org.apache.spark.sql.execution.ExplainMode.fromString(name)


def _rowtime(*arguments: str, cwd: Path) -> Any:
    command = [sys.executable, "-m", "rowtime_cli.main", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
