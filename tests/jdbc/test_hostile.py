"""Hostile clients: requests written by hand, in Avatica's JSON."""

from __future__ import annotations

import base64
import http.client
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rowtime import dbapi
from rowtime.serve.server import JdbcServer
from rowtime.session import Session


def post(port: int, body: bytes, path: str = "/", **headers: str) -> tuple[int, str]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    link.request("POST", path, body, headers)
    response = link.getresponse()
    return response.status, response.read().decode(errors="replace")


def ask(port: int, path: str = "/", **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(post(port, json.dumps(request).encode(), path)[1])
    return answer


def opened(port: int, name: str) -> int:
    ask(port, request="openConnection", connectionId=name, info={})
    return int(ask(port, request="createStatement", connectionId=name)["statementId"])


def quiet(text: str) -> bool:
    """Returns whether the text reveals nothing of the server's internals."""
    return not any(word in text for word in ("Exception", "\tat ", "py4j", "Py4J", "Traceback", "java."))


def test_ids_of_others(server: JdbcServer) -> None:
    port = server.port
    statement = opened(port, "one")
    opened(port, "two")
    fetch = {"request": "fetch", "offset": 0, "fetchMaxRowCount": 1}
    for request in (
        {**fetch, "connectionId": "two", "statementId": statement + 5},
        {**fetch, "connectionId": "nobody", "statementId": statement},
        {"request": "openConnection", "connectionId": "one", "info": {}},
        {"request": "executeBatch", "connectionId": "two", "statementId": 99, "parameterValues": [[]]},
        {
            "request": "prepareAndExecute",
            "connectionId": "two",
            "statementId": -1,
            "sql": "SELECT 1",
            "maxRowCount": -1,
        },
    ):
        answer = ask(port, **request)
        assert answer["response"] == "error", request
        assert answer["errorMessage"].startswith(("RT0640", "RT0641")) and quiet(json.dumps(answer))
    for what in ("bound", "setBound", "cancel", "disconnect", "execute", "nonsense"):
        answer = ask(port, "/rowtime", do=what, connection="two", statement=statement + 7, bound=1)
        assert answer["error"].startswith(("RT0641", "RT0646"))
    # The request has not affected the first connection.
    answer = ask(
        port,
        request="prepareAndExecute",
        connectionId="one",
        statementId=statement,
        sql="SELECT 1 AS x",
        maxRowCount=-1,
    )
    assert answer["results"][0]["firstFrame"]["rows"] == [[1]]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{}",
        b'{"request":"fetch"}',
        b'{"request":"exec"}',
        b"\x00\xff" * 50,
        b"[" * 100_000,
        b'{"a":' * 9_999,
    ],
)
def test_requests_that_are_none(server: JdbcServer, body: bytes) -> None:
    for path in ("/", "/rowtime", "/elsewhere"):
        status, text = post(server.port, body, path)
        assert status == 500
        assert quiet(text), text


def test_a_request_that_is_too_large(server: JdbcServer) -> None:
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    link.putrequest("POST", "/")
    link.putheader("Content-Length", "99999999999")
    link.endheaders()
    assert link.getresponse().status == 413
    assert ask(server.port, request="openConnection", connectionId="after", info={})["response"] == "openConnection"


def test_a_page_in_a_browser(server: JdbcServer) -> None:
    assert post(server.port, b"{}", Origin="http://example.org")[0] == 403


@pytest.fixture
def guarded(rt: Session) -> Iterator[JdbcServer]:
    made = rt.serve_jdbc(0, password="geheim-9", user="ada")
    yield made
    made.close()


def test_wrong_passwords_take_a_second(guarded: JdbcServer) -> None:
    def attempt(token: str | None) -> int:
        headers = {} if token is None else {"Authorization": "Basic " + base64.b64encode(token.encode()).decode()}
        return post(guarded.port, b"{}", **headers)[0]

    begin = time.monotonic()
    assert [attempt(token) for token in (None, "ada:wrong", "ada:geheim-", ":", "bob:geheim-9")] == [401] * 5
    assert time.monotonic() - begin > 4.9
    assert attempt("ada:geheim-9") == 500
    with dbapi.connect(f"rowtime://ada:geheim-9@127.0.0.1:{guarded.port}") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(dbapi.OperationalError, match="RT0642"):
        dbapi.connect(f"rowtime://ada:wrong@127.0.0.1:{guarded.port}")


def test_too_many_connections_and_statements(server: JdbcServer) -> None:
    for number in range(1_000):
        ask(server.port, request="openConnection", connectionId=f"c{number}", info={})
    answer = ask(server.port, request="openConnection", connectionId="one more", info={})
    assert answer["errorMessage"].startswith("RT0643")
    for number in range(1_000):
        ask(server.port, request="closeConnection", connectionId=f"c{number}")
    opened(server.port, "again")
    answers = [ask(server.port, request="createStatement", connectionId="again") for _ in range(1_000)]
    assert answers[-1]["errorMessage"].startswith("RT0643")


def test_a_connection_that_is_not_used_ends(rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER)")
    server = rt.serve_jdbc(0, idle_timeout=1)
    connection = dbapi.connect(f"rowtime://127.0.0.1:{server.port}")
    cursor = connection.execute("SELECT STREAM n FROM s")
    connection.cursor().executemany("INSERT EXPEDITED INTO s (n) VALUES (?)", [[1]])
    assert len(rt.queries) == 1
    while rt.queries:
        time.sleep(0.1)
    with pytest.raises(dbapi.DatabaseError, match="RT0640"):
        cursor.fetchall()
    # Its producer has detached as well.
    while rt.log("S").state().producers:
        time.sleep(0.1)
    server.close()
