"""Answers the requests of the server in Spark's JVM: statements of connections, and the catalog."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rowtime.catalog.store import Store
from rowtime.faults import diagnostics_of
from rowtime.serve.engine import Engine
from rowtime.serve.listings import LISTINGS
from rowtime.serve.statements import Answer, ServedStatement

_Request = Mapping[str, Any]


class Backend:
    """Answers the requests of the server, which come from many threads at a time."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine = engine
        self._store = store
        self._guard = threading.Lock()
        self._statements: dict[tuple[str, int], ServedStatement] = {}

    def call(self, request: str) -> str:
        """Answers a request; never raises."""
        try:
            asked = msgspec.json.decode(request)
            answer = self._answer(asked["do"], asked)
        except Exception as fault:
            answer = {"errors": [found.to_dict() for found in diagnostics_of(fault)]}
        return msgspec.json.encode(answer).decode()

    def close(self) -> None:
        """Ends all statements."""
        for connection in {key[0] for key in self._statements}:
            self._disconnect(connection)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _answer(self, what: str, request: _Request) -> Answer:
        listing = LISTINGS.get(what)
        if listing is not None:
            return listing(self._store, request)
        if what == "disconnect":
            return self._disconnect(request["connection"])
        if what == "close":
            with self._guard:
                closing = self._statements.pop((request["connection"], request["statement"]), None)
            if closing is not None:
                closing.close()
            return {}
        return _STATEMENTS[what](self._statement(request), request)

    def _statement(self, request: _Request) -> ServedStatement:
        key = (request["connection"], request["statement"])
        with self._guard:
            return self._statements.setdefault(key, ServedStatement(self._engine))

    def _disconnect(self, connection: str) -> Answer:
        with self._guard:
            keys = [key for key in self._statements if key[0] == connection]
            closing = [self._statements.pop(key) for key in keys]
        for statement in closing:
            statement.close()
        return {}


def _execute(statement: ServedStatement, request: _Request) -> Answer:
    if request.get("update"):
        return statement.update(request["sql"])
    return statement.execute(
        request.get("sql"), request.get("most", -1), request.get("parameters", ()), request["first"]
    )


_STATEMENTS: dict[str, Callable[[ServedStatement, _Request], Answer]] = {
    "prepare": lambda statement, request: statement.prepare(request["sql"], request["most"]),
    "execute": _execute,
    "batch": lambda statement, request: statement.batch(request["rows"], request["parameters"]),
    "fetch": lambda statement, request: statement.fetch(request["offset"], request["first"]),
    "bound": lambda statement, request: statement.bound(int(request.get("offset", 0))),
    "setBound": lambda statement, request: statement.set_bound(int(request["bound"]), bool(request.get("strict"))),
    "cancel": lambda statement, request: statement.cancel(),
}
