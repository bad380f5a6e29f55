"""Connections of the DB-API client that were closed while they were idle."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from rowtime.dbapi import OperationalError
from rowtime.dbapi.link import Link


class Server(ThreadingHTTPServer):
    """Answers requests; closes the connection after an answer, or instead of the answer to `fatal`, without a word."""

    daemon_threads = True
    received: list[str]
    fatal: list[str]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["request"]
        self.server.received.append(request)
        if request in self.server.fatal:
            self.server.fatal.remove(request)
            self.close_connection = True
            return
        body = b"{}"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        # Without a word in the answer: as after an idle time.
        self.close_connection = request == "last"

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(("127.0.0.1", 0), Handler)
    made.received, made.fatal = [], []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def link(server: Server) -> Link:
    return Link("127.0.0.1", server.server_port, None, None, 10)


def wait_until_closed(link: Link) -> None:
    sock = link._local.link.sock
    sock.settimeout(10)
    import socket

    assert sock.recv(1, socket.MSG_PEEK) == b""


def test_a_closed_connection_is_opened_anew(server: Server, link: Link) -> None:
    link.post("/", {"request": "last"})
    wait_until_closed(link)
    link.post("/", {"request": "execute"})
    assert server.received == ["last", "execute"]


def test_an_idle_connection_is_not_used_again(server: Server, link: Link) -> None:
    link.post("/", {"request": "one"})
    before = link._local.link
    link.post("/", {"request": "two"})
    assert link._local.link is before
    link._local.since -= 60
    link.post("/", {"request": "three"})
    assert link._local.link is not before
    assert server.received == ["one", "two", "three"]


def test_what_may_have_been_executed_is_not_sent_again(server: Server, link: Link) -> None:
    link.post("/", {"request": "one"})
    server.fatal = ["execute"]
    with pytest.raises(OperationalError, match="does not answer"):
        link.post("/", {"request": "execute"})
    assert server.received == ["one", "execute"]
    link.post("/", {"request": "two"})


def test_what_can_be_repeated_is_sent_again_once(server: Server, link: Link) -> None:
    link.post("/", {"request": "one"})
    server.fatal = ["fetch"]
    link.post("/", {"request": "fetch"}, repeatable=True)
    assert server.received == ["one", "fetch", "fetch"]
    server.fatal = ["fetch", "fetch"]
    with pytest.raises(OperationalError):
        link.post("/", {"request": "fetch"}, repeatable=True)
    assert server.received == ["one", "fetch", "fetch", "fetch", "fetch"]
