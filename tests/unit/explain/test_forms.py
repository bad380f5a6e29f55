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
from rowtime.explain.analysis import ScriptAnalysis, analyze
from rowtime.explain.forms import EXCHANGE, FORMS
from rowtime.explain.marked import parts
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
    """Returns the nodes of the last statement, sources first: the operator, and the parts of the text that it comes
    from."""
    analysis = analyze(SCHEMA + sql, MemoryCatalog(), planner)
    assert analysis.valid, analysis.diagnostics
    (*_, last) = analysis.statements
    assert last.planned is not None
    text, plan = last.statement.text, last.planned["plan"]
    found = parts(last)
    return [(node["op"], [text[a:b] for a, b in found[node["id"]]]) for node in nodes(plan)]


def test_clauses_of_a_query(planner: JpypePlanner) -> None:
    sql = (
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders AS o "
        "WHERE units IS DISTINCT FROM 3 GROUP BY FLOOR(rowtime TO HOUR) HAVING COUNT(*) > 1 ORDER BY 1"
    )
    assert placed(sql, planner) == [
        ("scan", ["orders"]),
        ("filter", ["units IS DISTINCT FROM 3"]),
        ("project", ["GROUP BY FLOOR(rowtime TO HOUR)"]),
        ("aggregate", ["GROUP BY FLOOR(rowtime TO HOUR)"]),
        ("filter", ["COUNT(*) > 1"]),
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
        ("filter", ["units > 1"]),
        ("scan", ["shipments"]),
        ("union", ["UNION ALL"]),
    ]


def test_what_a_view_does_has_the_place_of_its_name(planner: JpypePlanner) -> None:
    sql = "SELECT STREAM units, SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM big WHERE units < 9"
    over = "SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING)"
    assert [each for each in placed(sql, planner) if each[0] != "project"] == [
        ("scan", ["big"]),
        ("filter", ["big"]),
        ("filter", ["units < 9"]),
        ("window", [over]),
    ]


def test_joins_common_tables_and_table_functions(planner: JpypePlanner) -> None:
    joined = "SELECT * FROM products AS a JOIN (SELECT id AS x FROM products WHERE id > 1) AS b ON a.id = b.x"
    assert [each for each in placed(joined, planner) if each[0] in ("scan", "filter", "join")] == [
        ("scan", ["products"]),
        ("scan", ["products"]),
        ("filter", ["id > 1"]),
        ("join", ["JOIN (SELECT id AS x FROM products WHERE id > 1) AS b ON a.id = b.x"]),
    ]
    common = "WITH p (x) AS (SELECT id FROM products WHERE id > 1) SELECT DISTINCT x FROM p"
    assert ("filter", ["id > 1"]) in placed(common, planner)
    call = "HOP(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '30' MINUTE, INTERVAL '1' HOUR)"
    found = placed(f"SELECT STREAM rowtime, window_end FROM TABLE({call})", planner)
    assert [each for each in found if each[0] in ("scan", "hop")] == [("scan", ["orders"]), ("hop", [call])]


def test_sub_queries_and_what_becomes_of_them(planner: JpypePlanner) -> None:
    condition = "p.id IN (SELECT productId FROM orders WHERE units > 5) AND p.name <> 'a'"
    sql = f"SELECT name FROM products AS p WHERE {condition} ORDER BY name DESC LIMIT 3"
    assert [each for each in placed(sql, planner) if each[0] != "project"] == [
        ("scan", ["products"]),
        ("scan", ["orders"]),
        ("filter", ["units > 5"]),
        ("aggregate", [condition]),
        ("join", [condition]),
        ("filter", [condition]),
        ("sort", ["ORDER BY name DESC", "3"]),
    ]


def test_correlated_sub_queries_keep_the_places_of_what_they_read(planner: JpypePlanner) -> None:
    greatest = "(SELECT MAX(units) FROM orders AS o WHERE o.productId = p.id)"
    exists = "EXISTS (SELECT * FROM orders AS q WHERE q.productId = p.id AND q.units > 1)"
    found = placed(f"SELECT {greatest} AS m FROM products AS p WHERE {exists}", planner)
    assert [each for each in found if each[0] in ("scan", "filter", "join")] == [
        ("scan", ["products"]),
        ("scan", ["orders"]),
        ("filter", ["q.productId = p.id AND q.units > 1"]),
        ("join", [exists]),
        ("scan", ["orders"]),
        ("filter", ["o.productId = p.id"]),
        ("join", [f"SELECT {greatest} AS m"]),
    ]
    # two scans of one stream, each where it is named
    analysis = analyze(f"{SCHEMA}SELECT {greatest} AS m FROM products AS p WHERE {exists}", MemoryCatalog(), planner)
    spans = parts(analysis.statements[-1])
    plan = (analysis.statements[-1].planned or {})["plan"]
    assert len({spans[node["id"]][0] for node in nodes(plan) if node["op"] == "scan"}) == 3


def test_a_hop_in_panes_and_a_join_in_intervals_come_from_what_was_written(planner: JpypePlanner) -> None:
    group = "GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '1' HOUR), productId"
    hop = f"SELECT STREAM productId, SUM(units) AS u FROM orders WHERE units > 2 {group}"
    assert ("hop_aggregate", [group]) in placed(hop, planner)
    assert ("filter", ["units > 2"]) in placed(hop, planner)
    joined = "JOIN shipments AS s ON o.productId = s.orderId"
    near = "s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR AND o.units > 3"
    found = placed(f"SELECT STREAM o.rowtime, s.carrier FROM orders AS o {joined} WHERE {near}", planner)
    assert [each for each in found if each[0] in ("filter", "interval_join")] == [
        ("filter", [near]),
        ("interval_join", [joined]),
    ]


def test_distinct_unions_and_named_windows(planner: JpypePlanner) -> None:
    union = "SELECT STREAM rowtime, productId FROM orders\n  UNION\nSELECT STREAM rowtime, orderId FROM shipments"
    assert [each for each in placed(union, planner) if each[0] in ("union", "aggregate")] == [
        ("union", ["UNION"]),
        ("aggregate", ["UNION"]),
    ]
    window = "WINDOW w AS (ORDER BY rowtime ROWS 2 PRECEDING)"
    named = f"SELECT STREAM SUM(units) OVER w AS s FROM orders {window} QUALIFY s > 3"
    assert [each for each in placed(named, planner) if each[0] in ("window", "filter")] == [
        ("window", ["SUM(units) OVER w", window]),
        ("filter", ["s > 3"]),
    ]


def test_places_are_those_of_the_file_and_count_characters(planner: JpypePlanner) -> None:
    sql = "CREATE TABLE t (n INTEGER); SELECT '\U0001f600' AS e, n FROM t\r\nWHERE n > 3 /* \U0001f600 */ AND n < 5"
    (_, last) = analyze(sql, MemoryCatalog(), planner).statements
    plan = (last.planned or {})["plan"]
    places = {node["op"]: node["origin"] for node in nodes(plan)}
    assert places == {
        "scan": [{"line": 1, "column": 53, "endLine": 1, "endColumn": 53}],
        "filter": [{"line": 2, "column": 7, "endLine": 2, "endColumn": 29}],
        "project": [{"line": 1, "column": 29, "endLine": 1, "endColumn": 46}],
    }


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_places_lie_in_the_text_and_sources_have_one(path: Path, planner: JpypePlanner) -> None:
    for analyzed in analyze(path.read_text(), MemoryCatalog(), planner).statements:
        plan = (analyzed.planned or {}).get("plan")
        if plan is None:
            continue
        found = parts(analyzed)
        for node in nodes(plan):
            for begin, end in found[node["id"]]:
                assert 0 <= begin < end <= len(analyzed.statement.text)
                assert analyzed.statement.text[begin:end].strip() == analyzed.statement.text[begin:end]
            assert node["op"] != "scan" or found[node["id"]]


# --- mermaid ---------------------------------------------------------------------------------------------------------


def test_the_flowchart_goes_from_sources_to_the_result(planner: JpypePlanner) -> None:
    sql = "SELECT STREAM productId FROM orders WHERE productId > 3 AND units <> 4;"
    analysis = analyze("CREATE STREAM orders (productId INTEGER, units INTEGER);\n" + sql, MemoryCatalog(), planner)
    lines = [line.strip() for line in mermaid.render(analysis).split("\n")]
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
    shown = mermaid.render(analyze(sql, MemoryCatalog(), planner))
    for line in shown.split("\n")[1:]:
        for label in re.findall(r'"([^"]*)"', line):
            assert re.fullmatch(r"(?:[^`<>#&_*\[\]]|#\d+;|<br/>)*", label), label
    assert "evil" in shown
    assert "--> evil[" not in shown


# --- the page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Reads a page: its elements with their attributes, which must be closed in order."""

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
    shown = html.render(analyze(sql, MemoryCatalog(), planner), "orders.sql")
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
    shown = html.render(analyze(sql, MemoryCatalog(), planner), "orders.sql")
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
    page = Page(html.render(analyze(sql, MemoryCatalog(), planner), "<i>.sql"))
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


@pytest.mark.parametrize("form", [form for form in FORMS if form not in EXCHANGE])
def test_what_cannot_run_yet_is_shown(form: str, planner: JpypePlanner) -> None:
    analysis = analyze(NOT_YET, MemoryCatalog(), planner)
    assert [len((analyzed.planned or {}).get("notSupported", [])) > 0 for analyzed in analysis.statements] == [
        False
    ] * 2 + [True] * 2
    assert "match" in FORMS[form](analysis, "not_yet.sql")
