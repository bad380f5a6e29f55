"""The webhook's server, without Spark: every request is answered, with limited memory and time."""

from __future__ import annotations

import http.client
import json
import random
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hostile_records import json_record

from rowtime import httpserver
from rowtime.adapters import requests
from rowtime.adapters.requests import Server
from rowtime.adapters.webhook import PayloadFormat, Sender
from rowtime.limits import RECORD_BYTES
from rowtime.types.columns import columns

TOKEN = "words"
COLUMNS = {
    "ID": "INTEGER",
    "AMOUNT": "DECIMAL(10, 2)",
    "NAME": "VARCHAR",
    "AT": "TIMESTAMP(3)",
    "DAY": "DATE",
    "SHARE": "DOUBLE",
    "TAGS": "INTEGER ARRAY",
    "PLACE": "ROW(x INTEGER, y VARCHAR)",
    "T": "TIME",
}


def posted(path: str, body: str, key: str | None) -> Mapping[str, Any]:
    form = PayloadFormat(
        columns([{"name": name, "type": type, "nullable": True} for name, type in COLUMNS.items()]), "at"
    )
    return {"rows": form.check(body)}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(httpserver, "REQUEST_SECONDS", 2.0)
    monkeypatch.setattr(httpserver, "CONNECTIONS", 8)
    made = Server(("127.0.0.1", 0), posted, TOKEN, "me")
    made.begin()
    yield made
    if not made.stopping:
        made.stop()


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=20)


def post(server: Server, body: bytes, token: str = TOKEN) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    try:
        connection.request("POST", "/", body, {"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def raw(server: Server, *parts: bytes, pause: float = 0.0) -> tuple[int, Any]:
    """Returns the answer to bytes that are sent in pieces."""
    with connected(server) as client:
        for part in parts:
            try:
                client.sendall(part)
            except OSError:
                break
            time.sleep(pause)
        answer = http.client.HTTPResponse(client)
        answer.begin()
        return answer.status, json.loads(answer.read())


HEAD = f"POST / HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\n".encode()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b'{"id": 1e999999999}', 400, "row 1: ID: 1E+999999999 does not fit in INTEGER"),
        (b'{"id": 1e-999999999}', 400, "row 1: ID: 1E-999999999 is not an INTEGER"),
        (b'{"amount": 1e-999999999}', 200, ""),
        (b'{"id": ' + b"9" * 5_000 + b"}", 400, "a number of more than 1,000 characters"),
        (b'{"else": ' + b"[" * 100_000, 400, "nested deeper than 500 levels"),
        (b'{"else": ' + b"[" * 490 + b"]" * 490 + b"}", 200, ""),
        (b'{"name": "\\ud800"}', 400, "unpaired surrogate"),
        (b'{"name": "\xff"}', 400, "The body is not UTF-8 (byte 11)"),
        (b'{"t": 5}', 400, "row 1: T: 5 is not a TIME"),
        (b'{"day": 5}', 400, "row 1: DAY: 5 is not a DATE"),
        (b"", 400, "Expecting value"),
        (b'{"id": 1}\n{"id": 2}', 200, ""),
    ],
)
def test_bodies(server: Server, body: bytes, status: int, says: str) -> None:
    found, answer = post(server, body)
    assert (found, says in str(answer)) == (status, True), answer


def test_tokens(server: Server) -> None:
    assert post(server, b"{}", "other")[0] == post(server, b"{}", "")[0] == post(server, b"{}", "wörds")[0] == 401
    assert post(server, b"{}") == (200, {"rows": 1})


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"PUT / HTTP/1.1\r\n\r\n", 405),
        (b"GET / HTTP/1.1\r\n\r\n", 200),
        (HEAD + b"\r\n", 411),
        (HEAD + b"Content-Length: x\r\n\r\n", 411),
        (HEAD + "Content-Length: ²\r\n\r\n".encode("latin-1"), 411),
        (HEAD + b"Content-Length: -1\r\n\r\n", 411),
        (HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 411),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (HEAD + b"Content-Length: " + b"9" * 200 + b"\r\n\r\n", 411),
        (HEAD + b"Content-Length: 999999999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
        (b"POST / HTTP/1.1\r\na: " + b"b" * 100_000 + b"\r\n\r\n", 431),
        (b"POST /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
    ],
)
def test_requests(server: Server, request_bytes: bytes, status: int) -> None:
    found, answer = raw(server, request_bytes)
    assert found == status
    assert ("error" in answer) == (status != 200)


def test_a_body_that_is_too_large_is_answered(server: Server) -> None:
    assert post(server, b" " * (RECORD_BYTES + 1))[0] == 413
    assert post(server, b" " * (RECORD_BYTES + 1), "other")[0] == 401


def test_a_slow_request_is_answered(server: Server) -> None:
    begun = time.monotonic()
    assert raw(server, HEAD, *[b"x: y\r\n"] * 20, pause=0.2)[0] == 408
    assert raw(server, HEAD + b"Content-Length: 100\r\n\r\n", *[b" "] * 20, pause=0.2)[0] == 408
    assert time.monotonic() - begun < 20


def test_there_are_so_many_connections(server: Server) -> None:
    held = [connected(server) for _ in range(8)]
    status, answer = raw(server, b"GET / HTTP/1.1\r\n\r\n")
    assert (status, "connections" in answer["error"]) == (503, True)
    for one in held:
        one.close()
    deadline = time.monotonic() + 10
    while raw(server, b"GET / HTTP/1.1\r\n\r\n")[0] != 200:
        assert time.monotonic() < deadline


def test_bodies_that_are_large_together(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "ROOM_SECONDS", 0.5)
    head = HEAD + f"Content-Length: {RECORD_BYTES}\r\n\r\n".encode()
    held = [connected(server) for _ in range(4)]
    for one in held:
        one.sendall(head + b"[")
    time.sleep(0.3)
    status, answer = post(server, b" " * RECORD_BYTES)
    assert (status, "too large together" in answer["error"]) == (503, True)
    assert post(server, b"{}") == (200, {"rows": 1})
    for one in held:
        one.close()
    deadline = time.monotonic() + 10
    while post(server, b" " * RECORD_BYTES)[0] == 503:
        assert time.monotonic() < deadline


def test_a_request_while_it_stops(server: Server) -> None:
    with connected(server) as client:
        client.sendall(HEAD + b"Content-Length: 2\r\n\r\n")
        time.sleep(0.5)
        server.stopping = True
        client.sendall(b"{}")
        answer = http.client.HTTPResponse(client)
        answer.begin()
        assert (answer.status, answer.getheader("Retry-After")) == (503, "1")


def test_rows_that_are_too_many_for_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large rows are sent in several requests, which have the same keys when the batch is repeated."""
    sender = Sender({"url": "http://127.0.0.1:1", "rowtime.writer": "w", "rowtime.batch": "7"})
    sent: list[tuple[int, str | None]] = []
    monkeypatch.setattr(sender, "_post", lambda path, body, key: sent.append((len(body), key)))
    sender._send([{"NAME": "x" * (5 << 20)}] * 5, 0)
    assert [key for _, key in sent] == ["w-7-0a", "w-7-0b"]
    assert all(length <= RECORD_BYTES for length, _ in sent)


def test_posted_records(fuzz: Callable[[], Iterator[random.Random]], figures: Callable[..., None]) -> None:
    """Each body is either rows or an error with a reason, quickly."""
    counts = {"taken": 0, "refused": 0}
    for chance in fuzz():
        body = json_record(chance).decode("utf-8", "replace")
        begun = time.monotonic()
        try:
            posted("/", body, None)
            counts["taken"] += 1
        except ValueError:
            counts["refused"] += 1
        assert time.monotonic() - begun < 10, body[:2000]
    figures(**counts)
    assert min(counts.values()) > 0
