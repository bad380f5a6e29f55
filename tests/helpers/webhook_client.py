"""A client of webhooks."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from typing import Any

from ports import free_port

TOKEN = "words"


class Client:
    """Posts to a webhook on one port; by default on a free one."""

    def __init__(self, port: int | None = None) -> None:
        self.port = free_port() if port is None else port

    def post(self, body: Any, path: str = "/", **headers: str) -> tuple[int, Any]:
        """Returns the status and the answer; retries until the server answers."""
        headers = {"Idempotency_Key": uuid.uuid4().hex, "Authorization": f"Bearer {TOKEN}", **headers}
        deadline = time.monotonic() + 120
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                text = body if isinstance(body, str) else json.dumps(body)
                connection.request("POST", path, text, {name.replace("_", "-"): v for name, v in headers.items()})
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                # The server is not listening yet, or its query was killed before it could answer.
                assert time.monotonic() < deadline
                time.sleep(0.05)
            finally:
                connection.close()
