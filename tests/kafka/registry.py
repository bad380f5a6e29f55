"""A registry of schemas with Confluent's REST interface, as far as its documentation describes these requests."""

from __future__ import annotations

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


class Registry:
    """`schemas` by id, and the ids of each subject, the latest at the end. Requires `ann` and `pass` if it is `locked`;
    `faults` is the number of requests that fail before it answers again."""

    def __init__(self) -> None:
        self.schemas: dict[int, dict[str, Any]] = {}
        self.subjects: dict[str, list[int]] = {}
        self.locked = False
        self.faults = 0
        self.asked: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def register(self, subject: str, schema: str, **more: Any) -> int:
        ids = self.subjects.setdefault(subject, [])
        for id in ids:
            if self.schemas[id]["schema"] == schema:
                return id
        id = 258 + len(self.schemas)
        self.schemas[id] = {"schema": schema, **more}
        ids.append(id)
        return id

    def answer(self, method: str, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        match method, [unquote(part) for part in path.strip("/").split("/")]:
            case "GET", ["schemas", "ids", id] if int(id) in self.schemas:
                return 200, self.schemas[int(id)]
            case "GET", ["subjects", subject, "versions", "latest"] if self.subjects.get(subject):
                ids = self.subjects[subject]
                return 200, {"subject": subject, "version": len(ids), "id": ids[-1], **self.schemas[ids[-1]]}
            case "POST", ["subjects", subject, "versions"]:
                return 200, {"id": self.register(subject, body["schema"])}
        return 404, {"error_code": 40401, "message": "not found"}

    def _handler(registry: Registry) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer("GET")

            def do_POST(self) -> None:
                self._answer("POST")

            def _answer(self, method: str) -> None:
                registry.asked.append(f"{method} {self.path}")
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length)) if length else None
                allowed = "Basic " + base64.b64encode(b"ann:pass").decode()
                if registry.faults > 0:
                    registry.faults -= 1
                    status, told = 503, {"error_code": 50301, "message": "no leader"}
                elif registry.locked and self.headers.get("Authorization") != allowed:
                    status, told = 401, {"error_code": 401, "message": "Unauthorized"}
                else:
                    status, told = registry.answer(method, self.path, body)
                text = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler
