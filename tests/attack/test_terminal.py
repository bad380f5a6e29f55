"""Control characters in values, names and messages never reach a terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rowtime.display.printers import Columns, CsvPrinter, JsonPrinter, TextPrinter
from rowtime.errors import Diagnostic, render_all
from rowtime.explain.markup import element, text
from rowtime.plan.parts import Field
from rowtime.terminal import printable, printable_lines
from rowtime_cli.catalogs import print_table

BAD = [
    *(chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)]),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029",
    "\ud800",
    "\udfff",
]
EVIL = "a" + "".join(BAD) + "z"


def field(name: str, type: str = "VARCHAR") -> Field:
    return Field(name=name, type=type, nullable=True, monotonicity="NOT_MONOTONIC")


def clean(shown: str) -> bool:
    return not any(character in shown.replace("\n", "") for character in BAD)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("Grüße 🙂 👩‍💻 مرحبا", "Grüße 🙂 👩‍💻 مرحبا"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("a\nb\tc\r\x00\x7f", "a\\nb\\tc\\r\\x00\\x7f"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_escapes(given: str, shown: str) -> None:
    assert printable(given) == shown


def test_every_one_of_them() -> None:
    assert clean(printable(EVIL)) and "\n" not in printable(EVIL)
    assert printable_lines("a\nb\x1b") == "a\nb\\x1b"


def test_tables_rejected_rows_and_diagnostics(capsys: pytest.CaptureFixture[str]) -> None:
    columns, row = Columns([field(EVIL), field("n", "INTEGER"), field("l", "VARCHAR ARRAY")]), (EVIL, 1, [EVIL[:-3]])
    printer = TextPrinter("SELECT '" + EVIL, EVIL)
    printer.rows(1, 1, columns, [row])
    printer.rejected(EVIL, 1, columns, row, EVIL, EVIL)
    printer.changed(EVIL)
    printer.answer("EXPLAIN", Columns([field("PLAN")]), [(EVIL,)])
    printer.problems([Diagnostic(code="RT0101", message=EVIL, hint=EVIL, line=1, column=2, end_line=1, end_column=9)])
    out, errors = capsys.readouterr()
    assert clean(out) and clean(errors)
    # A value cannot imitate a line of its own.
    assert len(out.splitlines()) == 7


def test_other_forms_keep_values_by_rules_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    columns = Columns([field("a")])
    JsonPrinter().rows(1, 1, columns, [("\x1b\x9b\u202e",)])
    assert capsys.readouterr().out == '{"query":1,"step":1,"row":{"a":"\\u001b\x9b\u202e"}}\n'
    CsvPrinter(TextPrinter("", None)).rows(1, 1, columns, [("\x1b\x9b\u202e",)])
    assert capsys.readouterr().out == "a\n\x1b\x9b\u202e\n"


def test_pages() -> None:
    assert clean(text(EVIL).replace("\t", "").replace("\r", ""))
    assert text("a\n\tb<") == "a\n\tb&lt;"
    assert clean(element("p", title="\x1b\x9b\u202e"))


def test_messages_of_several_faults() -> None:
    shown = render_all([Diagnostic(code="RT0001", message=f"Unexpected '{EVIL}'")] * 2, None, EVIL)
    assert clean(shown) and len(shown.splitlines()) == 2


@pytest.mark.parametrize("format", ["text", "html", "mermaid"])
def test_explain(tmp_path: Path, format: str) -> None:
    evil = "".join(c for c in EVIL if c not in "\ud800\udfff\r\n\x00")
    literal = "".join(c for c in evil if c < "\u0100")
    script = f'CREATE TABLE "t{evil}" ("c{evil}" VARCHAR);\nSELECT "c{evil}", \'{literal}\' FROM "t{evil}";\n'
    script += f"SELECT {evil};"
    (tmp_path / "s.sql").write_text(script, encoding="utf-8")
    done = _rowtime("explain", "s.sql", "--format", format, cwd=tmp_path)
    assert done.stdout and clean(done.stdout.replace("\t", ""))
    assert done.stderr and clean(done.stderr)


def test_lists_of_commands(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("PUMP", "ERROR"), [[EVIL, EVIL]])
    shown = capsys.readouterr().out
    assert clean(shown) and len(shown.splitlines()) == 3


def _rowtime(*arguments: str, cwd: Path) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "rowtime_cli.main", *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
