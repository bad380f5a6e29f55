"""Hostile clients: requests written by hand, in Avatica's JSON."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import select
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rowtime import dbapi
from rowtime.serve import server as serving
from rowtime.serve.server import LARGEST_REQUEST, JdbcServer
from rowtime.session import Session


def post(port: int, body: bytes | Iterator[bytes], path: str = "/", **headers: str) -> tuple[int, str]:
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


def attempt(port: int, token: str | None) -> int:
    headers = {} if token is None else {"Authorization": "Basic " + base64.b64encode(token.encode()).decode()}
    return post(port, b"{}", **headers)[0]


def test_wrong_passwords_take_a_second(guarded: JdbcServer) -> None:
    begin = time.monotonic()
    wrong = ("ada:wrong", "ada:geheim-", ":", "bob:geheim-9")
    assert [attempt(guarded.port, token) for token in (None, *wrong)] == [401] * 5
    assert time.monotonic() - begin > 3.9
    assert attempt(guarded.port, "ada:geheim-9") == 500
    with dbapi.connect(f"rowtime://ada:geheim-9@127.0.0.1:{guarded.port}") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(dbapi.OperationalError, match="RT0642"):
        dbapi.connect(f"rowtime://ada:wrong@127.0.0.1:{guarded.port}")


def test_guessing_with_many_connections_is_not_faster(guarded: JdbcServer) -> None:
    """One password is compared in a second; a client that has shown the right one does not wait."""
    with dbapi.connect(f"rowtime://ada:geheim-9@127.0.0.1:{guarded.port}") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
        until = time.monotonic() + 4
        statuses: list[int] = []

        def guess(number: int) -> None:
            while time.monotonic() < until:
                statuses.append(attempt(guarded.port, f"ada:{number}"))

        with ThreadPoolExecutor(64) as many:
            for number in range(64):
                many.submit(guess, number)
            time.sleep(2)
            begin = time.monotonic()
            assert connection.execute("SELECT 2").fetchall() == [(2,)]
            assert time.monotonic() - begin < 1.9
    assert set(statuses) == {401, 429}
    # 4 seconds, and those that wait at the end.
    assert statuses.count(401) <= 4 + 16 + 1
    assert attempt(guarded.port, "ada:geheim-9") == 500


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 500), ("LocalHost.:80", 500), ("127.0.0.1:1", 500), ("127.9.9.9", 500), ("[::1]:5", 500),
        ("db.example", 500), ("DB.example:7", 500), ("rebound.example", 403), ("127.0.0.1.rebound.example", 403),
        ("localhost.rebound.example:7655", 403), ("", 403), ("192.0.2.1", 403),
    ],
)  # fmt: skip
def test_the_name_by_which_a_client_calls(rt: Session, host: str, status: int) -> None:
    """A page of the web that has given its own name this machine's address is told from a client."""
    server = rt.serve_jdbc(0, hosts=["db.example"])
    got, text = post(server.port, b"{}", Host=host)
    assert got == status
    assert (status == 403) == text.startswith("RT0634")
    server.close()


def readable(link: socket.socket) -> None:
    """Waits until there is something to read. select() takes no file descriptor above 1023."""
    waiting = select.poll()
    waiting.register(link, select.POLLIN)
    waiting.poll()


def test_a_client_that_does_not_read_its_answer(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is disconnected, so that it holds no thread of the server; one that reads slowly gets all."""
    monkeypatch.setattr(serving, "ANSWER_SECONDS", 1.0)
    server = rt.serve_jdbc(0)
    statement = opened(server.port, "one")
    body = json.dumps(
        {
            "request": "prepareAndExecute",
            "connectionId": "one",
            "statementId": statement,
            "sql": "SELECT REPEAT('x', 16000000) AS x",
            "maxRowCount": -1,
        }
    ).encode()
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(head + body)
        readable(slow)
        assert received(slow, pause=0.005) > 16_000_000
    with socket.create_connection(("127.0.0.1", server.port)) as deaf:
        deaf.sendall(head + body)
        readable(deaf)
        time.sleep(5)
        assert received(deaf) < 16_000_000
    server.close()


def received(link: socket.socket, pause: float = 0.0) -> int:
    """Returns how many bytes of an answer come before the server has closed the connection, or sends no more."""
    link.settimeout(3)
    found = 0
    with contextlib.suppress(OSError):
        while part := len(link.recv(1 << 18)):
            found += part
            time.sleep(pause)
    return found


def test_a_server_without_code(rt: Session) -> None:
    """Statements that name code or files are refused; what the catalog has can be used."""
    rt.sql("CREATE FUNCTION gcd (a INTEGER, b INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'math:gcd'")
    server = rt.serve_jdbc(0, code=False)
    columns, kafka = "CREATE FOREIGN STREAM f (n INTEGER)", "connector 'kafka', servers 'localhost:1', topic 't'"
    with dbapi.connect(f"rowtime://127.0.0.1:{server.port}") as connection:
        for sql in (
            "CREATE FUNCTION f (a INTEGER) RETURNS INTEGER LANGUAGE JAVA AS 'java.lang.Integer:bitCount'",
            "CREATE OR REPLACE FUNCTION gcd (a INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'os:system'",
            f"{columns} OPTIONS (connector 'python', class 'm:C')",
            f"{columns} OPTIONS (connector 'java', class 'C')",
            f"{columns} OPTIONS (connector 'files', path '/etc', format 'csv')",
            "CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'delta', path '/data')",
            "CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'jdbc', url 'jdbc:sqlite:/etc/x', table 't')",
            f"{columns} OPTIONS ({kafka}, \"kafka.ssl.truststore.location\" '/etc/passwd')",
            f"{columns} OPTIONS ({kafka}, format 'avro', avro_schema_file '/etc/passwd')",
            f"{columns} OPTIONS ({kafka}, format 'avro', avro_registry_password_file '/etc/shadow')",
            f"{columns} OPTIONS (connector 'kafka', servers_env 'SECRET', topic 't')",
        ):
            with pytest.raises(dbapi.Error, match="RT0635"):
                connection.execute(sql)
            with pytest.raises(dbapi.Error, match="RT0635"):
                connection.cursor().executemany(sql, [()])
        connection.execute("CREATE STREAM s (n INTEGER)")
        connection.execute(
            "CREATE FOREIGN STREAM r (n BIGINT) OPTIONS (connector 'socket', host 'localhost', port '1')"
        )
        assert connection.execute("SELECT gcd(12, 18)").fetchall() == [(6,)]
    assert {entry.name for entry in rt.store.entries()} >= {"GCD", "S", "R"} and rt.store.get("F") is None
    server.close()


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


def test_requests_that_are_large_together(server: JdbcServer) -> None:
    """Bodies that are being sent hold their part of the memory for requests. Another large one waits, and is refused;
    short ones are answered. When the memory is free again, so are large ones."""
    largest = LARGEST_REQUEST
    large = b"{" + b" " * (largest - 1)
    held = []
    try:
        for _ in range(200):
            one = socket.create_connection(("127.0.0.1", server.port))
            held.append(one)
            one.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {largest}\r\n\r\n".encode() + b"{")
        begin = time.monotonic()
        with ThreadPoolExecutor(2) as clients:
            # http.client sends an iterator in chunks, without a Content-Length.
            for status, said in clients.map(lambda body: post(server.port, body), (large, iter([large]))):
                assert (status, said[:6]) == (503, "RT0637")
        assert ask(server.port, request="openConnection", connectionId="short", info={})["response"] == "openConnection"
        assert 9 < time.monotonic() - begin < 60
    finally:
        for one in held:
            one.close()
    end = time.monotonic() + 30
    while post(server.port, large)[0] == 503:
        assert time.monotonic() < end
