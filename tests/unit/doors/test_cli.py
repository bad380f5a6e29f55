"""The command line from outside: real processes for exit codes and streams, the functions themselves for the rest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.errors import Diagnostic, RowtimeError
from rowtime.faults import summary
from rowtime_cli import faults, main

pytestmark = pytest.mark.slow

ORDERS = "CREATE STREAM orders (productId INTEGER, units INTEGER);\n"
TABLE = "CREATE TABLE products (id INTEGER);\n"


def rowtime(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "ROWTIME_WAREHOUSE"}
    return subprocess.run(
        [sys.executable, "-m", "rowtime_cli.main", *arguments],
        cwd=cwd,
        input=stdin,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_valid_script_is_silence_and_0(tmp_path: Path) -> None:
    done = rowtime("validate", "-", cwd=tmp_path, stdin=ORDERS + "SELECT STREAM * FROM orders;")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_errors_have_place_line_caret_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "orders.sql").write_text(TABLE + "-- next\nSELECT STREAM *\nFROM products;\nSELECT 'x")
    done = rowtime("validate", "orders.sql", cwd=tmp_path)
    assert done.returncode == 1
    first, *_ = lines = done.stdout.splitlines()
    assert first.startswith("orders.sql:")
    assert "Cannot convert table 'PRODUCTS' to a stream" in first
    assert "  FROM products;" in lines or "  SELECT STREAM *" in lines
    assert "orders.sql:5:8: error RT0401: String is not closed" in lines
    assert "         ^" in lines
    assert done.stderr == ""


def test_validate_prints_one_array_for_the_whole_script(tmp_path: Path) -> None:
    text = TABLE + "SELECT STREAM * FROM products;\nSELECT nothing FROM products;\n"
    done = rowtime("validate", "--format", "json", "-e", text, cwd=tmp_path)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert [one["line"] for one in found] == [2, 3]
    for one in found:
        assert set(one) == {"severity", "code", "message", "line", "column", "endLine", "endColumn", "hint"}
    assert json.loads(rowtime("validate", "--format", "json", "-e", TABLE, cwd=tmp_path).stdout) == []


EXCLUDE = "SELECT STREAM COUNT(*) OVER (ROWS 1 PRECEDING EXCLUDE CURRENT ROW) AS c FROM orders"


def test_what_run_would_refuse_is_a_warning_or_an_error(tmp_path: Path) -> None:
    text = ORDERS + f"{EXCLUDE};\nEXPLAIN {EXCLUDE};\nCREATE VIEW v AS {EXCLUDE};\n"
    line, column = ORDERS.count("\n") + 1, EXCLUDE.index("EXCLUDE") + 1
    for more, severity, code in (((), "warning", 0), (("--runnable",), "error", 1)):
        done = rowtime("validate", "--format", "json", "-e", text, *more, cwd=tmp_path)
        found = json.loads(done.stdout)
        assert done.returncode == code
        assert [(one["severity"], one["code"], one["line"], one["column"]) for one in found] == [
            (severity, "RT0900", line, column), (severity, "RT0900", line + 2, len("CREATE VIEW v AS ") + column),
        ]  # fmt: skip


def test_what_cannot_run_is_marked_in_its_script(tmp_path: Path) -> None:
    pattern = "MATCH_RECOGNIZE (ORDER BY rowtime PATTERN (a) DEFINE a AS TRUE)"
    done = rowtime(
        "validate", "--format", "json", "-e", f"{ORDERS}SELECT STREAM *\n  FROM orders {pattern};", cwd=tmp_path
    )
    (found,) = json.loads(done.stdout)
    line, begin = ORDERS.count("\n") + 2, len("  FROM orders ") + 1
    assert (found["code"], found["line"], found["column"]) == ("RT0900", line, begin)
    assert (found["endLine"], found["endColumn"]) == (line, begin + len(pattern) - 1)


SCRIPTS = {"a.sql": f"{ORDERS}{EXCLUDE};\n", "b, %1.sql": "SELECT 'é', ordres FROM\n  nowhere;\n", "c.sql": ORDERS}


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    for name, text in SCRIPTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_several_files_are_checked_each_by_itself(scripts: Path) -> None:
    done = rowtime("validate", *SCRIPTS, "no.sql", cwd=scripts)
    assert done.returncode == 2
    heads = [line for line in done.stdout.splitlines() if ": warning " in line or ": error " in line]
    assert [line.split(":")[0] for line in heads] == ["a.sql", "b, %1.sql", "no.sql"]
    found = json.loads(rowtime("validate", "--format", "json", *SCRIPTS, cwd=scripts).stdout)
    assert [(one["file"], one["code"]) for one in found] == [("a.sql", "RT0900"), ("b, %1.sql", "RT0111")]
    assert rowtime("validate", "a.sql", "c.sql", cwd=scripts).returncode == 0
    assert rowtime("validate", "a.sql", "-e", "SELECT 1", cwd=scripts).returncode == 2


def test_sarif(scripts: Path) -> None:
    """As the schema of SARIF 2.1.0 wants it: 1-based places whose end is after the last character, URIs, levels."""
    done = rowtime("validate", "--format", "sarif", *SCRIPTS, cwd=scripts)
    log = json.loads(done.stdout)
    assert (done.returncode, log["version"]) == (1, "2.1.0")
    (run,) = log["runs"]
    assert (run["tool"]["driver"]["name"], run["columnKind"]) == ("rowtime", "unicodeCodePoints")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["RT0111", "RT0900"]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("RT0900", "warning"),
        ("RT0111", "error"),
    ]
    (location,) = run["results"][1]["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "b%2C%20%251.sql"},
        "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 10},
    }
    assert "hint: " in run["results"][1]["message"]["text"]
    empty = json.loads(rowtime("validate", "--format", "sarif", "c.sql", cwd=scripts).stdout)
    assert empty["runs"][0]["results"] == []


def test_annotations_of_a_workflow(scripts: Path) -> None:
    done = rowtime("validate", "--format", "github", *SCRIPTS, cwd=scripts)
    warning, error = done.stdout.splitlines()
    line, column = ORDERS.count("\n") + 1, EXCLUDE.index("EXCLUDE") + 1
    place = f"line={line},col={column},endLine={line},endColumn={column + len('EXCLUDE CURRENT ROW') - 1}"
    assert warning == f"::warning file=a.sql,{place},title=RT0900::not supported yet: EXCLUDE in a window"
    assert error.startswith(
        "::error file=b%2C %251.sql,line=2,col=3,endLine=2,endColumn=9,title=RT0111::Object 'NOWHERE' not found"
    )
    assert "%0Ahint: " in error
    assert (done.returncode, rowtime("validate", "--format", "github", "c.sql", cwd=scripts).stdout) == (1, "")


def test_schema_files_come_first_and_findings_in_them_carry_their_name(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(ORDERS)
    (tmp_path / "b.sql").write_text("CREATE VIEW v AS SELECT STREAM * FROM orders;\nSELECT;\n")
    done = rowtime(
        "validate", "--format", "json", "--schema", "a.sql", "--schema", "b.sql", "-e", "SELECT STREAM * FROM v",
        cwd=tmp_path,
    )  # fmt: skip
    (one,) = json.loads(done.stdout)
    assert (done.returncode, one["file"], one["line"]) == (1, "b.sql", 2)


def test_explain_json_has_an_object_a_statement(tmp_path: Path) -> None:
    done = rowtime(
        "explain", "--format", "json", "-", cwd=tmp_path, stdin=ORDERS + "\nSELECT STREAM units FROM orders;"
    )
    assert (done.returncode, done.stderr) == (0, "")
    create, select = json.loads(done.stdout)
    assert (create["statement"], create["line"], create["kind"], create["plan"]) == (1, 1, "CREATE STREAM", None)
    assert (select["statement"], select["line"], select["kind"], select["streaming"]) == (2, 3, "SELECT", True)
    assert [field["name"] for field in select["fields"]] == ["UNITS"]
    assert select["plan"]["op"] == "project"
    assert set(select) == {"statement", "line", "kind", "streaming", "fields", "plan"}


def test_explain_shows_what_is_right_and_reports_what_is_wrong(tmp_path: Path) -> None:
    done = rowtime(
        "explain", "-e", ORDERS + "SELECT STREAM units FROM orders;\nSELECT STREAM x FROM orders;", cwd=tmp_path
    )
    assert done.returncode == 1
    assert "scan ORDERS (stream, read as a stream)" in done.stdout
    assert "<sql>:3:15: error RT" in done.stderr


def test_ddl_counts_for_its_script_only(tmp_path: Path) -> None:
    for _ in range(2):
        assert rowtime("validate", "-e", ORDERS, cwd=tmp_path).returncode == 0
    assert rowtime("validate", "-e", "SELECT STREAM * FROM orders", cwd=tmp_path).returncode == 1


def test_the_catalog_of_the_warehouse_counts(tmp_path: Path) -> None:
    from rowtime.catalog.store import Store

    columns = [{"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False, "lateness": None, "watermark": None,
                "monotonic": None, "default": None}]  # fmt: skip
    stream = {"name": "S", "kind": "STREAM", "columns": columns, "primaryKey": [], "options": {}, "query": None,
              "started": False, "uses": [], "sql": "CREATE STREAM S"}  # fmt: skip
    with Store(tmp_path / "w") as store:
        store.commit([{"action": "create", "object": stream, "replace": False}])
    sql = ("-e", "SELECT STREAM * FROM s")
    assert rowtime("validate", *sql, cwd=tmp_path).returncode == 1
    assert rowtime("validate", *sql, "--warehouse", "w", cwd=tmp_path).stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate",),
        ("validate", "missing.sql"),
        ("validate", "x.sql", "-e", "SELECT 1"),
        ("validate", "--schema", "missing.sql", "-e", "SELECT 1"),
        ("explain", "."),
        ("demo", "--keep", "/"),
        ("explain", "--format", "pdf", "-"),
        ("validate", "--no-such-option"),
        ("no-such-command",),
    ],
)
def test_a_wrong_command_line_is_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = rowtime(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stderr + done.stdout


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "x.sql").write_bytes("SELECT 1;\nSELECT 'é".encode() + b"\xff'")
    done = rowtime("validate", "x.sql", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("x.sql:2:10: error RT0620: The text is not valid UTF-8")


def test_a_terminal_in_ascii_gets_escapes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rowtime_cli.main", "validate", "-e", "SELECT 'é"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"SELECT '\\xe9" in done.stdout


def test_what_nobody_foresaw_is_a_diagnostic_and_its_traceback_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        @staticmethod
        def command() -> None:
            raise ZeroDivisionError("first line\nat java.base/java.lang.Thread.run(Thread.java:840)")

    monkeypatch.setattr(main, "import_module", lambda _: Broken)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ROWTIME_WAREHOUSE", str(tmp_path / "none"))
    assert main.main(["validate"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("error RT0999: Internal error: ZeroDivisionError: first line\n")
    assert "Thread.java" not in shown
    assert "Traceback" not in shown
    log = tmp_path / "rowtime" / "errors.log"
    assert str(log) in shown
    assert "Traceback (most recent call last)" in log.read_text()
    monkeypatch.setenv("ROWTIME_DEBUG", "1")
    main.main(["validate"])
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (KeyboardInterrupt(), 130),
        (RowtimeError(Diagnostic(code="RT0601", message="no room")), 1),
        (faults.WrongCommandLine(Diagnostic(code="RT0620", message="no file")), 2),
        (SystemExit(None), 0),
        (SystemExit("said"), 1),
    ],
)
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int) -> None:
    class Raising:
        @staticmethod
        def command() -> None:
            raise fault

    monkeypatch.setattr(main, "import_module", lambda _: Raising)
    assert main.main(["validate"]) == code


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    script = ORDERS + "SELECT STREAM * FROM orders;\n" * 400
    (tmp_path / "many.sql").write_text(script)
    command = f"{sys.executable} -m rowtime_cli.main explain many.sql | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("1  CREATE STREAM ORDERS")
    assert done.stderr == ""


def test_java_stack_traces_stay_out_of_the_summary() -> None:
    from py4j.protocol import Py4JJavaError

    fault = Py4JJavaError.__new__(Py4JJavaError)
    text = "An error occurred while calling o1.plan.\n: java.lang.IllegalStateException: no\n\tat io.X.y(X.java:1)\n"
    fault.__class__ = type("Py4JJavaError", (Py4JJavaError,), {"__str__": lambda _: text})
    assert summary(fault) == "no"


def test_doctor_names_the_remedy_for_each_fault(tmp_path: Path) -> None:
    done = rowtime("doctor", "--format", "json", cwd=tmp_path)
    for finding in json.loads(done.stdout):
        assert finding["outcome"] == "ok" or finding["remedy"]
    broken = subprocess.run(
        [sys.executable, "-m", "rowtime_cli.main", "doctor", "--warehouse", str(tmp_path / "w")],
        env={**os.environ, "JAVA_HOME": "", "PATH": "", "SPARK_REMOTE": "sc://nowhere"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert broken.returncode == 1
    faulty = [line.split()[1] for line in broken.stdout.splitlines() if line.startswith("FAULT")]
    assert {"java", "planner", "spark"} <= set(faulty)
    assert broken.stdout.count("remedy:") >= len(faulty)
    assert list(tmp_path.iterdir()) == []
