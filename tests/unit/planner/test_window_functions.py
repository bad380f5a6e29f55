"""TUMBLE, HOP and SESSION as table functions: each with each way of writing the arguments, over each kind of input."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes

TEN, HOUR = "INTERVAL '10' MINUTE", "INTERVAL '1' HOUR"
FORMS = {
    "TUMBLE": [
        f"TUMBLE({{}}, DESCRIPTOR({{}}), {TEN})",
        f"TUMBLE({{}}, DESCRIPTOR({{}}), {TEN}, INTERVAL '1' MINUTE)",
        f"TABLE(TUMBLE({{}}, DESCRIPTOR({{}}), {TEN}))",
        f"TUMBLE(DATA => {{}}, TIMECOL => DESCRIPTOR({{}}), SIZE => {TEN})",
        f"TUMBLE(SIZE => {TEN}, DATA => {{}}, TIMECOL => DESCRIPTOR({{}}))",
        f"TUMBLE({{}}, DESCRIPTOR({{}}), SIZE => {TEN})",
    ],
    "HOP": [
        f"HOP({{}}, DESCRIPTOR({{}}), {TEN}, {HOUR})",
        f"TABLE(HOP({{}}, DESCRIPTOR({{}}), {TEN}, {HOUR}, INTERVAL '1' MINUTE))",
        f"HOP(DATA => {{}}, TIMECOL => DESCRIPTOR({{}}), SLIDE => {TEN}, SIZE => {HOUR})",
        f"HOP({{}}, DESCRIPTOR({{}}), SIZE => {HOUR}, SLIDE => {TEN})",
    ],
    "SESSION": [
        f"SESSION({{}}, DESCRIPTOR({{}}), {TEN})",
        f"SESSION({{}}, DESCRIPTOR({{}}), DESCRIPTOR(productId), {TEN})",
        f"TABLE(SESSION({{}}, DESCRIPTOR({{}}), DESCRIPTOR(productId), {TEN}))",
        f"SESSION(DATA => {{}}, TIMECOL => DESCRIPTOR({{}}), SIZE => {TEN})",
        f"SESSION(DATA => {{}}, TIMECOL => DESCRIPTOR({{}}), KEY => DESCRIPTOR(productId), SIZE => {TEN})",
    ],
}
INPUTS = {
    "stream": ("Orders", "rowtime"),
    "stream with TABLE": ("TABLE Orders", "rowtime"),
    "sub-query": ("(SELECT STREAM rowtime, productId FROM Orders WHERE units > 1)", "rowtime"),
    "function": (f"(SELECT STREAM rowtime, productId FROM TUMBLE(Orders, DESCRIPTOR(rowtime), {HOUR}))", "rowtime"),
    "values": ("(SELECT * FROM (VALUES (1, TIMESTAMP '2024-05-01 10:00:00')) AS v (productId, ts))", "ts"),
}
CASES = [(name, form, kind) for name, forms in FORMS.items() for form in forms for kind in INPUTS]


@pytest.mark.parametrize(("name", "form", "kind"), CASES)
def test_each_form_over_each_input(planning: Planning, name: str, form: str, kind: str) -> None:
    table, time = INPUTS[kind]
    source = form.format(table, time)
    for stream in ("", "STREAM ") if kind != "values" else ("",):
        statement = planning.plan(f"SELECT {stream}* FROM {source}")
        assert statement["notSupported"] == []
        columns = [field["name"] for field in statement["fields"]]
        assert columns[-2:] == ["WINDOW_START", "WINDOW_END"]
        assert all(field["type"].startswith("TIMESTAMP") for field in statement["fields"][-2:])
        op = {"TUMBLE": "project", "HOP": "hop", "SESSION": "session"}[name]
        assert nodes(statement["plan"], op)
