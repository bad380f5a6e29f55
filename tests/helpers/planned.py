"""A catalog in a test's hands: statements go in, replies come out, DDL counts for those that follow."""

from __future__ import annotations

import json
from typing import Any


class Planning:
    """Plans statements one after another against a catalog that their DDL changes."""

    def __init__(self, planner: Any) -> None:
        self._planner = planner
        self.catalog: dict[str, Any] = {"version": 0, "objects": [], "lateness": []}

    def reply(self, sql: str, line: int = 1, column: int = 1) -> dict[str, Any]:
        """Returns the planner's reply to one statement, and applies its changes to the catalog."""
        request = {"sql": sql, "line": line, "column": column}
        reply = json.loads(self._planner.plan(json.dumps(self.catalog), json.dumps(request)))
        for change in (reply["statement"] or {}).get("changes", []):
            self._apply(change)
        return reply

    def plan(self, sql: str) -> dict[str, Any]:
        """Returns the planned statement of a valid SQL text."""
        reply = self.reply(sql)
        assert reply["statement"] is not None, reply["diagnostics"]
        return reply["statement"]

    def errors(self, sql: str) -> list[dict[str, Any]]:
        """Returns the errors of an invalid SQL text, each with the text that it points at as `at`."""
        reply = self.reply(sql)
        assert reply["statement"] is None, "expected an error"
        found = [d for d in reply["diagnostics"] if d["severity"] == "error"]
        for d in found:
            assert d["line"] == d["endLine"] == 1, "these tests are of one line each"
            d["at"] = sql[d["column"] - 1 : d["endColumn"]]
        return found

    def error(self, sql: str) -> tuple[str, str, str]:
        """Returns code, message and marked text of the only error."""
        (d,) = self.errors(sql)
        return d["code"], d["message"], d["at"]

    def _apply(self, change: dict[str, Any]) -> None:
        objects = self.catalog["objects"]
        self.catalog["version"] += 1
        if change["action"] == "create":
            self.catalog["objects"] = [o for o in objects if o["name"] != change["object"]["name"]] + [change["object"]]
        elif change["action"] == "drop":
            self.catalog["objects"] = [o for o in objects if o["name"] not in change["names"]]
        elif change["action"] == "lateness":
            self.catalog["lateness"].append({k: change[k] for k in ("view", "column", "value")})
