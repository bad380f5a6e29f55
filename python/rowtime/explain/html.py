"""`rowtime explain --format html`: one self-contained page: no network, no script, no other file.

The page shows the text of each statement next to its plan as a graph, from the sources down to the result. Rules of the
page's own style sheet highlight a node together with the part of the text that it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rowtime.errors import Diagnostic
from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import Node, NodeColumn, bound, changes, heading, new_columns, nodes, remarks, state
from rowtime.explain.marked import marked_text
from rowtime.explain.markup import element, text
from rowtime.explain.operators import describe

_STYLE = Path(__file__).with_name("page.css")
_ARROWS = {
    "STRICTLY_INCREASING": "↑ ",
    "INCREASING": "↑ ",
    "STRICTLY_DECREASING": "↓ ",
    "DECREASING": "↓ ",
    "CONSTANT": "= ",
}
_LEGEND = (
    ("none", "keeps no state"),
    ("constant", "a fixed amount per key"),
    ("window", "until a bound passes"),
    ("unbounded", "grows without limit"),
)
_PAGE = "body { margin: 0; } .rowtime.page { min-height: 100vh; padding: 22px clamp(12px, 3vw, 44px); }"
# The page must not load anything, whatever the SQL contains.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(analysis: ScriptAnalysis, name: str) -> str:
    """Returns the page for a script of that name."""
    legend = [element("span", element("b", kind), f" {meaning}", class_=kind) for kind, meaning in _LEGEND]
    header = element(
        "header",
        element("h1", text(name)),
        element("p", text(_summary(analysis)), class_="soft"),
        element("p", "state: ", *legend, class_="legend"),
    )
    head = (
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', text(name), ' – rowtime')}\n{element('style', _PAGE)}\n"
    )
    body = element("body", header, "\n", _inside(analysis), "\n", class_="rowtime page")
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}</head>\n{body}\n</html>'


def fragment(analysis: ScriptAnalysis) -> str:
    """Returns only the statements, for use inside another page, such as a notebook."""
    return element("div", _inside(analysis), class_="rowtime")


def _inside(analysis: ScriptAnalysis) -> str:
    shown = {id(diagnostic) for analyzed in analysis.statements for diagnostic in analyzed.diagnostics}
    others = [diagnostic for diagnostic in analysis.diagnostics if id(diagnostic) not in shown]
    sections = [_statement(analyzed) for analyzed in analysis.statements]
    if others:
        sections.insert(0, element("section", _diagnostics(others), class_="statement"))
    style = element("style", "\n", _STYLE.read_text(encoding="utf-8"), _highlighting_rules(analysis))
    return "\n".join([style, *sections])


def _summary(analysis: ScriptAnalysis) -> str:
    counts = [(len(analysis.statements), "statement")]
    counts += [(sum(d.severity == kind for d in analysis.diagnostics), kind) for kind in ("error", "warning")]
    return ", ".join(
        f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count or word == "statement"
    )


def _statement(analyzed: StatementAnalysis) -> str:
    planned = analyzed.planned or {}
    plan = planned.get("plan")
    title = [
        element("span", str(analyzed.number), class_="number"),
        text(heading(analyzed) if planned else "not valid"),
    ]
    said = [
        element("p", text(line), class_="refused" if line.startswith("not supported") else "")
        for line in remarks(planned)
    ]
    return element(
        "section",
        element(
            "div",
            element("h2", *title),
            element("span", f"line {analyzed.statement.line}", class_="soft"),
            element("div", *said, class_="remarks") if said else "",
            class_="heading",
        ),
        element(
            "div",
            element("div", marked_text(analyzed), class_="text"),
            element("div", _tree(plan, analyzed.number), class_="graph") if plan else "",
            class_="parts",
        ),
        _diagnostics(analyzed.diagnostics),
        class_="statement",
    )


def _tree(node: Node, number: int) -> str:
    inputs = [_tree(child, number) for child in node.get("inputs", [])]
    above = element("div", *inputs, class_="inputs") if inputs else ""
    return element("div", above, _node(node, number), class_="tree")


def _node(node: Node, number: int) -> str:
    kept = state(node)
    op, _, rest = describe(node).partition(" ")
    columns = [_column(column) for column in new_columns(node)]
    follows, changed = bound(node), changes(node)
    why = f" – {kept.why}" if kept.why and kept.bound != "none" else ""
    return element(
        "article",
        element("span", str(node["id"]), class_="tag") if node["origin"] else "",
        element("div", element("b", text(op)), " ", element("code", text(rest)), class_="does"),
        element("table", *columns, class_="columns") if columns else "",
        _property("changes", changed) if changed else "",
        _property("bound", f"{follows}, from that of its sources") if follows else "",
        _property("state", kept.text + why),
        class_=f"node {kept.bound}",
        data_node=f"{number}.{node['id']}",
        tabindex="0",
    )


def _property(name: str, what: str) -> str:
    return element("p", element("b", name, class_=name), " ", text(what), class_="fact")


def _column(column: NodeColumn) -> str:
    order = f"{_ARROWS.get(column.monotonicity, '')}{column.order}"
    return element(
        "tr",
        element("td", text(f"{column.name} *" if column.rowtime else column.name)),
        element("td", text(column.type)),
        element("td", text(order), class_="ordered" if column.order else ""),
    )


def _diagnostics(found: Sequence[Diagnostic]) -> str:
    if not found:
        return ""
    lines = [
        element(
            "li",
            element("b", f"{each.severity} {text(each.code)}", class_=each.severity),
            f" {text(each.message)} ",
            element("span", text(_place(each)), class_="soft"),
            element("span", text(each.hint), class_="hint") if each.hint else "",
        )
        for each in found
    ]
    return element("ul", *lines, class_="diagnostics")


def _place(diagnostic: Diagnostic) -> str:
    file = f"{diagnostic.file}:" if diagnostic.file else ""
    return f"{file}{diagnostic.line}:{diagnostic.column or 1}" if diagnostic.line is not None else file


def _highlighting_rules(analysis: ScriptAnalysis) -> str:
    """Returns the style rules that highlight a node and its part of the text together."""
    rules = []
    for analyzed in analysis.statements:
        for node in nodes((analyzed.planned or {}).get("plan")):
            name = f"{analyzed.number}.{node['id']}"
            pointed = f'.rowtime:has([data-node="{name}"]:is(:hover, :focus)) [data-part~="{name}"]'
            rules.append(f"{pointed} {{ background: var(--mark); }}\n")
            chosen = f'.rowtime:has([data-part~="{name}"]:hover) [data-node="{name}"]'
            rules.append(f"{chosen} {{ background: var(--mark); }}\n")
    return "".join(rules)
