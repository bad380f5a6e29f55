"""Plans as a flowchart and as a page, and the parts of the text that nodes come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.explain import html, mermaid
from rowtime.explain.forms import FORMS
from rowtime.explain.judge import ScriptAnalysis, judge
from rowtime.explain.places import places
from rowtime.jvm.jpype import JpypePlanner

SCRIPTS = sorted(Path(__file__).parents[2].joinpath("sql").rglob("*.sql"))
SCHEMA = """CREATE STREAM orders (productId INTEGER, units INTEGER);
CREATE STREAM shipments (orderId INTEGER, carrier VARCHAR(20));
CREATE TABLE products (id INTEGER, name VARCHAR(20));
CREATE VIEW big AS SELECT rowtime, productId, units FROM orders WHERE units > 3;
"""


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in plan["inputs"]:
        yield from nodes(child)
    yield plan


def placed(sql: str, planner: JpypePlanner) -> list[tuple[str, list[str]]]:
    """Each node of the last statement, sources first: its operator, and the parts of the text that it comes from."""
    verdict = judge(SCHEMA + sql, MemoryCatalog(), planner)
    assert verdict.valid, verdict.diagnostics
    (*_, last) = verdict.judged
    assert last.planned is not None
    text, plan = last.statement.text, last.planned["plan"]
    found = places(text, plan)
    return [(node["op"], [text[a:b] for a, b in found.get(node["id"], [])]) for node in nodes(plan)]


def test_clauses_of_a_query(planner: JpypePlanner) -> None:
    sql = (
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders AS o "
        "WHERE units IS DISTINCT FROM 3 GROUP BY FLOOR(rowtime TO HOUR) HAVING COUNT(*) > 1 ORDER BY 1"
    )
    assert placed(sql, planner) == [
        ("scan", ["orders"]),
        ("filter", ["WHERE units IS DISTINCT FROM 3"]),
        ("project", ["GROUP BY FLOOR(rowtime TO HOUR)"]),
        ("aggregate", ["GROUP BY FLOOR(rowtime TO HOUR)"]),
        ("filter", ["HAVING COUNT(*) > 1"]),
        ("project", ["SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c"]),
        ("sort", ["ORDER BY 1"]),
    ]


def test_branches_of_a_union_and_sub_queries(planner: JpypePlanner) -> None:
    sql = (
        "INSERT INTO shipments SELECT STREAM rowtime, productId, 'a' FROM (SELECT * FROM orders WHERE units > 1) "
        "UNION ALL SELECT STREAM rowtime, orderId, carrier FROM shipments"
    )
    found = placed(sql, planner)
    assert [each for each in found if each[0] in ("scan", "filter", "union")] == [
        ("scan", ["orders"]),
        ("filter", ["WHERE units > 1"]),
        ("scan", ["shipments"]),
        ("union", ["UNION ALL"]),
    ]


def test_what_a_view_does_has_the_place_of_its_name(planner: JpypePlanner) -> None:
    sql = "SELECT STREAM units, SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM big WHERE units < 9"
    over = "SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING)"
    assert [each for each in placed(sql, planner) if each[0] != "project"] == [
        ("scan", ["big"]),
        ("filter", ["big"]),
        ("filter", ["WHERE units < 9"]),
        ("window", [over]),
    ]


def test_joins_common_tables_and_table_functions(planner: JpypePlanner) -> None:
    joined = "SELECT * FROM products AS a JOIN (SELECT id AS x FROM products WHERE id > 1) AS b ON a.id = b.x"
    assert [each for each in placed(joined, planner) if each[0] in ("scan", "filter", "join")] == [
        ("scan", ["products"]),
        ("scan", ["products"]),
        ("filter", ["WHERE id > 1"]),
        ("join", ["JOIN (SELECT id AS x FROM products WHERE id > 1) AS b ON a.id = b.x"]),
    ]
    common = "WITH p (x) AS (SELECT id FROM products WHERE id > 1) SELECT DISTINCT x FROM p"
    assert ("filter", ["WHERE id > 1"]) in placed(common, planner)
    call = "TABLE(HOP(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '30' MINUTE, INTERVAL '1' HOUR))"
    found = placed(f"SELECT STREAM rowtime, window_end FROM {call}", planner)
    assert [each for each in found if each[0] in ("scan", "hop")] == [("scan", ["orders"]), ("hop", [call])]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_places_lie_in_the_text_and_sources_have_one(path: Path, planner: JpypePlanner) -> None:
    for judged in judge(path.read_text(), MemoryCatalog(), planner).judged:
        plan = (judged.planned or {}).get("plan")
        if plan is None:
            continue
        found = places(judged.statement.text, plan)
        for node in nodes(plan):
            for begin, end in found.get(node["id"], []):
                assert 0 <= begin < end <= len(judged.statement.text)
            assert node["op"] != "scan" or node["id"] in found


# --- mermaid ---------------------------------------------------------------------------------------------------------


def test_the_flowchart_goes_from_sources_to_the_result(planner: JpypePlanner) -> None:
    sql = "SELECT STREAM productId FROM orders WHERE productId > 3 AND units <> 4;"
    verdict = judge("CREATE STREAM orders (productId INTEGER, units INTEGER);\n" + sql, MemoryCatalog(), planner)
    lines = [line.strip() for line in mermaid.render(verdict).split("\n")]
    assert lines[:3] == [
        '%%{init: {"flowchart": {"wrappingWidth": 480}}}%%',
        "flowchart TB",
        'subgraph s2["2  SELECT (streaming), line 2"]',
    ]
    assert lines[4:9] == [
        's2n1[("scan ORDERS (stream, read as a stream)<br/>ROWTIME #42;: TIMESTAMP(3) NOT NULL · increasing<br/>'
        'PRODUCTID: INTEGER<br/>UNITS: INTEGER<br/>state: none")]:::none',
        's2n2["filter PRODUCTID #62; 3 AND UNITS #60;#62; 4<br/>state: none"]:::none',
        "s2n1 --> s2n2",
        's2n3["project PRODUCTID<br/>PRODUCTID: INTEGER<br/>state: none"]:::none',
        "s2n2 --> s2n3",
    ]
    assert mermaid.render(ScriptAnalysis([], [])) == ""


def test_no_label_of_a_flowchart_can_end_early(planner: JpypePlanner) -> None:
    sql = """CREATE STREAM s ("a""b" INTEGER, "x_y`<b>" INTEGER);
SELECT STREAM "a""b", '"] --> evil["' || 'ü#' AS t FROM s WHERE "x_y`<b>" > 1"""
    shown = mermaid.render(judge(sql, MemoryCatalog(), planner))
    for line in shown.split("\n")[1:]:
        for label in re.findall(r'"([^"]*)"', line):
            assert re.fullmatch(r"(?:[^`<>#&_*\[\]]|#\d+;|<br/>)*", label), label
    assert "evil" in shown
    assert "--> evil[" not in shown


# --- the page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What is in a page: its elements with their attributes, and that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.text += data

    def attribute(self, name: str) -> list[str]:
        return [attributes[name] or "" for _, attributes in self.elements if name in attributes]


def test_the_page_needs_nothing_else(planner: JpypePlanner) -> None:
    sql = SCHEMA + "SELECT STREAM * FROM big"
    shown = html.render(judge(sql, MemoryCatalog(), planner), "orders.sql")
    page = Page(shown)
    assert {tag for tag, _ in page.elements} <= {
        *("html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "b", "span", "section", "div"),
        *("pre", "code", "article", "table", "tr", "td", "ul", "li"),
    }
    for name in ("src", "href", "srcset", "data", "action", "onclick", "onload", "style"):
        assert page.attribute(name) == []
    assert "url(" not in shown
    assert "@import" not in shown
    assert "default-src 'none'" in " ".join(page.attribute("content"))


def test_nodes_and_the_parts_of_the_text_light_up_together(planner: JpypePlanner) -> None:
    sql = SCHEMA + "SELECT STREAM productId FROM orders WHERE units > 3"
    shown = html.render(judge(sql, MemoryCatalog(), planner), "orders.sql")
    page = Page(shown)
    assert page.attribute("data-node") == ["4.1", "4.2", "4.3", "5.1", "5.2", "5.3"]
    assert {name for each in page.attribute("data-part") for name in each.split()} == set(page.attribute("data-node"))
    for name in page.attribute("data-node"):
        assert f'.rowtime:has([data-node="{name}"]:is(:hover, :focus)) [data-part~="{name}"]' in shown
    assert page.attribute("data-line") == ["1", "2", "3", "4", "5"]
    assert "ROWTIME *" in page.text
    assert "↑ increasing" in page.text


def test_diagnostics_stand_at_their_places_and_nothing_is_markup(planner: JpypePlanner) -> None:
    sql = "SELECT '<script>alert(1)</script>' AS \"<b>\";\nSELECT STREAM a\nFROM nowhere;\nSELECT 'x"
    page = Page(html.render(judge(sql, MemoryCatalog(), planner), "<i>.sql"))
    assert not {"script", "i"} & {tag for tag, _ in page.elements}
    assert "<script>alert(1)</script>" in page.text
    assert "<i>.sql" in page.text
    marked = [attributes for _, attributes in page.elements if "error" in (attributes.get("class") or "").split()]
    assert [each["title"] for each in marked if "title" in each] == ["Object 'NOWHERE' not found"]
    assert "error RT0111 Object 'NOWHERE' not found 3:6" in page.text
    assert "error RT0401 String is not closed 4:8" in page.text


# --- all forms -------------------------------------------------------------------------------------------------------

NOT_YET = """\
CREATE STREAM s (k INTEGER, n INTEGER);
CREATE TABLE t (k INTEGER);
SELECT STREAM s.n FROM s, LATERAL (SELECT * FROM t WHERE t.k < s.k) AS u;
SELECT STREAM * FROM s MATCH_RECOGNIZE (PATTERN (a b) DEFINE a AS a.n > 1) AS m;
"""


@pytest.mark.parametrize("form", FORMS)
def test_what_cannot_run_yet_is_shown(form: str, planner: JpypePlanner) -> None:
    verdict = judge(NOT_YET, MemoryCatalog(), planner)
    assert [len((judged.planned or {}).get("notSupported", [])) > 0 for judged in verdict.judged] == [False] * 2 + [
        True
    ] * 2
    assert "match" in FORMS[form](verdict, "not_yet.sql")
