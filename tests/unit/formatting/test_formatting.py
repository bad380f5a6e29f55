"""The formatter: its style, that it keeps every token, and that what it makes plans as before."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from plans import without_origins

from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import RowtimeError
from rowtime.explain.analysis import analyze
from rowtime.formatting.script import format_script
from rowtime.jvm.jpype import JpypePlanner
from rowtime.lexical.words import RESERVED
from rowtime_cli.main import main

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted((ROOT / "tests").rglob("*.sql"))
_BLOCK = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def texts() -> list[Any]:
    """Returns every script in the tests and in the documentation."""
    found = [pytest.param(path.read_text(), id=str(path.relative_to(ROOT))) for path in SCRIPTS]
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        blocks = _BLOCK.findall(page.read_text())
        found += [pytest.param(block, id=f"{page.name}:{number}") for number, block in enumerate(blocks, 1)]
    return found


@pytest.mark.parametrize("text", texts())
@pytest.mark.parametrize("line_length", [100, 40])
def test_formatting_twice_is_formatting_once(text: str, line_length: int) -> None:
    once = format_script(text, line_length)
    assert format_script(once, line_length) == once


@pytest.mark.slow
@pytest.mark.parametrize("text", texts())
def test_the_plan_stays_the_same(text: str, planner: JpypePlanner) -> None:
    assert _planned(format_script(text, 60), planner) == _planned(text, planner)


def _planned(text: str, planner: JpypePlanner) -> list[Any]:
    analysis = analyze(text, MemoryCatalog(), planner)
    return [
        (_meaning(analyzed.planned), [(d.code, d.message) for d in analyzed.diagnostics])
        for analyzed in analysis.statements
    ]


def _meaning(planned: dict[str, Any] | None) -> dict[str, Any] | None:
    """Returns the plan without positions."""
    if not planned:
        return planned
    refusal = planned.get("refusal")
    return {
        **planned,
        "plan": without_origins(planned["plan"]) if planned["plan"] else None,
        "notSupportedAt": sorted(planned.get("notSupportedAt") or {}),
        "refusal": {key: refusal[key] for key in ("code", "message")} if refusal else None,
    }


def test_the_reserved_words_are_those_of_the_parser(planner: JpypePlanner) -> None:
    import jpype

    config = jpype.JClass("io.rowtime.parse.Parsers").CONFIG
    metadata = jpype.JClass("org.apache.calcite.sql.parser.SqlParser").create(" ", config).getMetadata()
    # END-EXEC is three tokens to anyone but the parser.
    assert {str(word) for word in metadata.getTokens() if metadata.isReservedWord(word)} - {"END-EXEC"} == RESERVED


def test_what_fits_is_one_line_and_what_does_not_is_a_line_a_clause() -> None:
    assert (
        format_script("select  stream *\nfrom Orders where units>3;")
        == "SELECT STREAM * FROM Orders WHERE units > 3;\n"
    )
    wide = (
        "select stream floor(rowtime to hour) as rowtime, productId, sum(units) as units from orders "
        "where productId is not null and units between 1 and 10 group by floor(rowtime to hour), productId"
    )
    assert format_script(wide, 60).split("\n") == [
        "SELECT STREAM",
        "  FLOOR(rowtime TO HOUR) AS rowtime,",
        "  productId,",
        "  SUM(units) AS units",
        "FROM orders",
        "WHERE productId IS NOT NULL AND units BETWEEN 1 AND 10",
        "GROUP BY FLOOR(rowtime TO HOUR), productId;",
        "",
    ]


def test_casts_are_written_without_blanks() -> None:
    assert format_script("select -id :: decimal(3)::varchar from t") == "SELECT -id::DECIMAL(3)::VARCHAR FROM t;\n"


def test_changes_of_tables() -> None:
    changes = (
        "update stock as s set units = s.units + 1, name = upper(name) where s.units < 30 and name is not null;"
        "delete from stock where id > 30;"
        "merge into stock as s using (select id, units from arrivals) as a on s.id = a.id "
        "when matched then update set units = a.units when not matched then insert (id, units) values (a.id, 0);"
    )
    assert format_script(changes, 70).split("\n") == [
        "UPDATE stock AS s",
        "SET units = s.units + 1, name = UPPER(name)",
        "WHERE s.units < 30 AND name IS NOT NULL;",
        "DELETE FROM stock WHERE id > 30;",
        "MERGE INTO stock AS s",
        "USING (SELECT id, units FROM arrivals) AS a ON s.id = a.id",
        "WHEN MATCHED THEN UPDATE SET units = a.units",
        "WHEN NOT MATCHED THEN INSERT (id, units) VALUES (a.id, 0);",
        "",
    ]


def test_columns_of_a_stream_rows_and_joins() -> None:
    script = """
create foreign stream orders(rowtime timestamp(3) not null lateness interval '10' minute, units integer) options(
connector 'files', path 'orders')
;insert into t(a,b) values(1,-2),(3, - 4);
select * from a left join b on a.first_key = b.first_key and a.second_key = b.second_key, lateral table(f(a.x)) as q
"""
    assert format_script(script, 70).split("\n") == [
        "CREATE FOREIGN STREAM orders (",
        "  rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE,",
        "  units INTEGER",
        ") OPTIONS (connector 'files', path 'orders');",
        "INSERT INTO t (a, b) VALUES (1, -2), (3, -4);",
        "SELECT *",
        "FROM a",
        "LEFT JOIN b",
        "  ON a.first_key = b.first_key",
        "    AND a.second_key = b.second_key, LATERAL TABLE(f(a.x)) AS q;",
        "",
    ]


def test_comments_stay_where_they_were() -> None:
    script = """/* head
   of file */


select a -- first
  , b /* inline */ , c -- third
-- before from
from orders -- the orders
where a > 1 -- cond
  -- before and
  and b < 2
; -- behind
select 1;
-- at the end"""
    assert format_script(script).split("\n") == [
        "/* head",
        "   of file */",
        "",
        "SELECT",
        "  a,  -- first",
        "  b,  /* inline */",
        "  c  -- third",
        "-- before from",
        "FROM orders  -- the orders",
        "WHERE a > 1  -- cond",
        "  -- before and",
        "  AND b < 2;  -- behind",
        "SELECT 1;",
        "-- at the end",
        "",
    ]


def test_commands_names_strings_and_line_ends_stay() -> None:
    query = "select \"Key\", u.value, 'it''s  so', key from MyTable u"
    script = f"!producer P1\r\n\r\n\r\n{query};\r\n!bound  S  '2020-01-01'  \r\n"
    assert format_script(script) == (
        "!producer P1\r\n\r\nSELECT \"Key\", u.value, 'it''s  so', key FROM MyTable u;\r\n!bound  S  '2020-01-01'\r\n"
    )


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("select - -1, a-(-1), -a*-b, a||b", "SELECT - -1, a - (-1), -a * -b, a || b;"),
        ("select count( * )filter(where a>1)over(w range 1 preceding)",
         "SELECT COUNT(*) FILTER (WHERE a > 1) OVER (w RANGE 1 PRECEDING);"),
        ("select array [1,2][1], map ['a',1], t . \"b\".c, cast(a as decimal(10,2))",
         "SELECT ARRAY[1, 2][1], MAP['a', 1], t.\"b\".c, CAST(a AS DECIMAL(10, 2));"),
        ("select a from t where(a,b)in((1,2))and not exists(select 1 from u)",
         "SELECT a FROM t WHERE (a, b) IN ((1, 2)) AND NOT EXISTS (SELECT 1 FROM u);"),
        ("select stream hop_end (a, interval '1' hour)", "SELECT STREAM hop_end(a, INTERVAL '1' HOUR);"),
        ("select /*+ x from t", "SELECT /*+ x from t;"),
        ("alter pump p1 start", "ALTER PUMP p1 START;"),
        ("lateness v.col1 interval '1' hour", "LATENESS v.col1 INTERVAL '1' HOUR;"),
        ("select'a'\n'b'", "SELECT 'a'\n  'b';"),
    ],
)  # fmt: skip
def test_blanks(written: str, formatted: str) -> None:
    assert format_script(written) == f"{formatted}\n"


def test_what_has_no_end_is_not_touched() -> None:
    with pytest.raises(RowtimeError) as raised:
        format_script("select 'a")
    assert raised.value.code == "RT0401"


def test_the_page_on_formatting_shows_what_comes_out() -> None:
    page = (ROOT / "docs" / "fmt.md").read_text()
    (written,) = _BLOCK.findall(page)
    _, shown = page.split("becomes\n\n")
    assert format_script(written) == "".join(line.removeprefix("    ") for line in shown.splitlines(keepends=True))


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = tmp_path / "good.sql", tmp_path / "bad.sql", tmp_path / "broken.sql"
    good.write_text("SELECT 1;\n")
    bad.write_text("select 1")
    broken.write_text("select 'a")
    assert (main(["fmt", str(good), str(bad)]), capfd.readouterr().out) == (0, "SELECT 1;\nSELECT 1;\n")
    assert (main(["fmt", "--check", str(good)]), *capfd.readouterr()) == (0, "", "")
    assert (main(["fmt", "--check", str(good), str(bad)]), *capfd.readouterr()) == (1, "", f"{bad}: not formatted\n")
    assert main(["fmt", "--diff", str(bad)]) == 0
    assert capfd.readouterr().out.splitlines()[2:] == [
        "@@ -1 +1 @@", "-select 1", "\\ No newline at end of file", "+SELECT 1;"
    ]  # fmt: skip
    assert bad.read_text() == "select 1"
    assert main(["fmt", "-w", str(bad), str(broken)]) == 1
    assert (bad.read_text(), broken.read_text()) == ("SELECT 1;\n", "select 'a")
    assert f"{broken}:1:8: error RT0401: String is not closed" in capfd.readouterr().err
    assert main(["fmt", "--write", "-e", "select 1"]) == 2
    assert main(["fmt", str(tmp_path / "none.sql")]) == 2
