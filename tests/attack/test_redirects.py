"""Servers that redirect: no client repeats a request with rows or a password elsewhere, or as another request."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from jdbc_programs import command

from rowtime import dbapi
from rowtime.adapters.webhook import Sender

ALL = (301, 302, 303, 307, 308)


class Recorder(http.server.ThreadingHTTPServer):
    """Records requests. Answers 200, or redirects to `location` all but those below /moved."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, str, str | None, bytes]] = []
        self.status, self.location = 200, ""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server: Any = self.server
        server.seen.append((self.command, self.path, self.headers.get("Authorization"), body))
        moved = server.status != 200 and not self.path.startswith("/moved")
        self.send_response(server.status if moved else 200)
        if moved:
            self.send_header("Location", server.location + self.path)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def servers() -> Iterator[tuple[Recorder, Recorder]]:
    made = Recorder(), Recorder()
    yield made
    for server in made:
        server.shutdown()
        server.server_close()


def sender(server: Recorder) -> Sender:
    return Sender({"url": server.url, "token": "words", "rowtime.writer": "w", "rowtime.batch": "7"})


@pytest.mark.parametrize("status", ALL)
def test_rows_of_a_webhook_stay_with_their_target(servers: tuple[Recorder, Recorder], status: int) -> None:
    target, other = servers
    target.status, target.location = status, other.url
    with pytest.raises(OSError, match=f"redirects to another server, {other.url}/"):
        sender(target)._send([{"N": 1}], 0)
    assert len(target.seen) == 1 and not other.seen


@pytest.mark.parametrize("status", ALL)
def test_a_webhook_that_has_moved(servers: tuple[Recorder, Recorder], status: int) -> None:
    """On the same server. Only 307 and 308 mean the same request again."""
    target, _ = servers
    target.status, target.location = status, "/moved"
    if status < 307:
        with pytest.raises(OSError, match=f"redirects with status {status}, which drops the body"):
            sender(target)._send([{"N": 1}], 0)
        assert len(target.seen) == 1
        return
    sender(target)._send([{"N": 1}], 0)
    first, second = target.seen
    assert second == ("POST", "/moved" + first[1], "Bearer words", first[3])


def test_a_webhook_that_redirects_in_a_circle(servers: tuple[Recorder, Recorder]) -> None:
    target, _ = servers
    target.status, target.location = 307, "/again"
    with pytest.raises(OSError, match="answers 307"):
        sender(target)._send([{"N": 1}], 0)
    assert len(target.seen) < 20


@pytest.mark.parametrize("url", ["file:///tmp/x", "ftp://127.0.0.1/x", "//host", "host:8080", "http://", "http://[x"])
def test_a_target_that_is_not_on_the_web(url: str) -> None:
    with pytest.raises(ValueError, match="url is not an address of HTTP"):
        Sender({"url": url})


@pytest.mark.parametrize("status", ALL)
def test_the_database_driver_of_python(servers: tuple[Recorder, Recorder], status: int) -> None:
    server, other = servers
    server.status, server.location = status, other.url
    with pytest.raises(dbapi.OperationalError):
        dbapi.connect(f"rowtime://user:word@127.0.0.1:{server.server_address[1]}")
    assert len(server.seen) == 1 and not other.seen


def test_the_database_driver_of_java(servers: tuple[Recorder, Recorder]) -> None:
    import subprocess

    server, other = servers
    server.status, server.location = 307, other.url
    line = command("Connects", f"jdbc:rowtime://127.0.0.1:{server.server_address[1]};user=user;password=word")
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert server.seen and not other.seen, done.stdout + done.stderr
