"""A webhook as a stream: a small HTTP server to which rows and bounds are posted; and a target that posts them.

    CREATE FOREIGN STREAM clicks (page VARCHAR) OPTIONS (
        connector 'python', class 'rowtime.adapters.webhook:Webhook', port '8080')

`POST /` takes a row as a JSON object, an array of rows, or one row a line; `POST /bound` a time, before which no later
row is. The answer comes when what was posted is on disk, where it stays until all who read the stream have committed
it. A request with a header `Idempotency-Key` that has come before is answered and not taken again.

The server runs where the stream is read, and as long; of several queries one serves, and the others read what it
receives.
"""

from __future__ import annotations

import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pyspark.sql.datasource import (
    DataSource,
    DataSourceStreamReader,
    DataSourceWriter,
    InputPartition,
    WriterCommitMessage,
)
from pyspark.sql.streaming.datasource import ReadLimit
from pyspark.sql.types import StructType

from rowtime.adapters import Bound
from rowtime.adapters.spool import BOUND, Request, Spool
from rowtime.streams.columns import Column, columns
from rowtime.streams.log import ROWTIME
from rowtime.streams.smallfiles import write_whole
from rowtime.streams.times import parse_duration, parse_micros, to_datetime
from rowtime.streams.values import BadValue, stored

RECEIVED = "received"
ADDRESS = "address"
_LARGEST = 16 << 20
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SEEN_EVERY = 60.0


class Webhook(DataSource):
    """See the module. Options to receive: port (0: any free one, which the file `address` in `rowtime.folder` names);
    host (127.0.0.1); token or token_env, which requests have to carry as `Authorization: Bearer …`, and without which
    other machines are not served; rowtime, the field that fills ROWTIME, or `received`; keep ('1 DAY'), for how long a
    reader may be away. Options to send: url, token or token_env."""

    takes_bounds = True

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return Receiver(self.options)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        return Sender(self.options)


# --- receiving -------------------------------------------------------------------------------------------------------


@dataclass
class Range(InputPartition):
    """The requests after `start` up to `end`."""

    start: int
    end: int


class Receiver(DataSourceStreamReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self._folder = Path(options["rowtime.folder"])
        self._reader = options["rowtime.reader"]
        self._earliest = options.get("rowtime.start") == "earliest"
        self._keep = parse_duration(options.get("keep", "1 DAY")) * 1000
        self._host, self._port = options.get("host", "127.0.0.1"), int(_needed(options, "port"))
        self._token = _token(options)
        self._form = Form(columns(json.loads(options["rowtime.columns"])), options.get("rowtime", ROWTIME))
        if self._host not in _LOOPBACK and self._token is None:
            raise ValueError(f"host {self._host} is open to others: set the option token or token_env")
        self._server: ThreadingHTTPServer | None = None
        self._seen = 0.0

    def initialOffset(self) -> dict[str, Any]:
        return {"seq": self._spool.begin(self._reader, earliest=self._earliest)}

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        self._serve()
        if time.monotonic() - self._seen > _SEEN_EVERY:
            self._seen = time.monotonic()
            self._spool.seen(self._reader)
        return {"seq": self._spool.latest(self._reader, start["seq"])}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        return [Range(start["seq"], end["seq"])] if end["seq"] > start["seq"] else []

    def read(self, partition: InputPartition) -> Iterator[Any]:
        assert isinstance(partition, Range)
        for request in self._spool.between(partition.start, partition.end):
            if request.kind == BOUND:
                yield Bound(to_datetime(int(request.body) // 1000))
            else:
                yield from self._form.rows(request)

    def commit(self, end: dict[str, Any]) -> None:
        self._spool.commit(self._reader, end["seq"], self._keep)

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    @property
    def _spool(self) -> Spool:
        return Spool(self._folder)

    def _serve(self) -> None:
        """Begins to serve, unless another query of the stream does."""
        if self._server is not None:
            return
        identity = self._spool.identity()
        handler = type("Handler", (_Handler,), {
            "spool": self._spool, "form": self._form, "token": self._token, "identity": identity
        })  # fmt: skip
        try:
            server = ThreadingHTTPServer((self._host, self._port), handler)
        except OSError as fault:
            if not _is_ours(self._host, self._port, identity):
                raise OSError(f"{self._host}:{self._port} cannot be listened on: {fault}") from None
            return
        threading.Thread(target=server.serve_forever, name="rowtime webhook", daemon=True).start()
        self._server = server
        write_whole(self._folder / ADDRESS, f"{self._host}:{server.server_address[1]}".encode())


class Form:
    """What rows look like that are posted."""

    def __init__(self, named: Sequence[Column], rowtime: str) -> None:
        self._columns = named
        self._rowtime = rowtime

    def rows(self, request: Request) -> Iterator[dict[str, Any]]:
        for row in parsed(request.body):
            yield self._row(row, request.received)

    def check(self, body: str) -> int:
        """How many rows a request has. Raises ValueError where one of them is none."""
        count = 0
        for count, row in enumerate(parsed(body), 1):
            try:
                filled = self._row(row, 0)
                for column in self._columns:
                    stored(filled[column.name], column)
            except BadValue as fault:
                raise ValueError(f"row {count}: {fault}") from None
        return count

    def _row(self, row: Any, received: int) -> dict[str, Any]:
        if not isinstance(row, dict):
            raise BadValue("not a JSON object")
        folded = {name.upper(): value for name, value in row.items()}
        found = {c.name: row[c.name] if c.name in row else folded.get(c.name.upper()) for c in self._columns}
        if ROWTIME in found and self._rowtime.upper() != ROWTIME:
            found[ROWTIME] = (
                to_datetime(received // 1000) if self._rowtime == RECEIVED else folded.get(self._rowtime.upper())
            )
        return found


def parsed(body: str) -> list[Any]:
    """The rows of a body. Raises ValueError where it is no JSON."""
    try:
        found = json.loads(body, parse_float=Decimal)
    except ValueError:
        lines = [line for line in body.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line, parse_float=Decimal) for line in lines]
    return found if isinstance(found, list) else [found]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    spool: Spool
    form: Form
    token: str | None
    identity: str

    def do_GET(self) -> None:
        self._answer(200, {"identity": self.identity})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _LARGEST:
            self.close_connection = True
            self._answer(413 if length.isdigit() else 411, {"error": f"Send a Content-Length of at most {_LARGEST}"})
            return
        raw = self.rfile.read(int(length))
        if self.token is not None and not hmac.compare_digest(
            self.headers.get("Authorization", "").encode(), f"Bearer {self.token}".encode()
        ):
            self._answer(401, {"error": "Authorization: Bearer … is missing, or is another one"})
            return
        try:
            body = raw.decode("utf-8")
            if self.path == "/":
                self._rows(body)
            elif self.path == "/bound":
                self._bound(body)
            else:
                self._answer(404, {"error": "There are / for rows and /bound"})
        except ValueError as fault:
            self._answer(400, {"error": str(fault)})

    def _rows(self, body: str) -> None:
        count = self.form.check(body)
        taken = self.spool.add_rows(body, self.headers.get("Idempotency-Key")) if count else False
        self._answer(200, {"rows": count if taken else 0})

    def _bound(self, body: str) -> None:
        text = body.strip().strip('"')
        if self.spool.add_bound(parse_micros(text)):
            self._answer(200, {"bound": text})
        else:
            self._answer(409, {"error": "A bound never goes back"})

    def _answer(self, status: int, answer: Mapping[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads what a worker writes."""


def _is_ours(host: str, port: int, identity: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/", timeout=5) as answer:
            return bool(json.load(answer).get("identity") == identity)
    except (OSError, ValueError, AttributeError):
        return False


# --- sending ---------------------------------------------------------------------------------------------------------


class Sender(DataSourceWriter):
    """Posts rows, so many at a time, and bounds. A batch that is sent again has the same keys."""

    MOST = 1000
    ATTEMPTS = 6

    def __init__(self, options: Mapping[str, str]) -> None:
        self._url = _needed(options, "url").rstrip("/")
        self._token = _token(options)
        batch = options.get("rowtime.batch")
        self._key = None if batch is None else f"{options['rowtime.writer']}-{batch}"

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        part: list[dict[str, Any]] = []
        number = 0
        for row in iterator:
            if isinstance(row, Bound):
                self._post("/bound", json.dumps(row.time.isoformat(timespec="milliseconds")), None)
                continue
            part.append(row.asDict(recursive=True))
            if len(part) == self.MOST:
                self._send(part, number)
                part, number = [], number + 1
        if part:
            self._send(part, number)
        return WriterCommitMessage()

    def _send(self, rows: list[dict[str, Any]], number: int) -> None:
        self._post("/", json.dumps(rows, default=_text), None if self._key is None else f"{self._key}-{number}")

    def _post(self, path: str, body: str, key: str | None) -> None:
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self._url + path, body.encode(), headers, method="POST")
        for attempt in range(self.ATTEMPTS):
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    answer.read()
                return
            except urllib.error.HTTPError as fault:
                if fault.code < 500 or attempt == self.ATTEMPTS - 1:
                    said = fault.read(500).decode("utf-8", "replace")
                    raise OSError(f"{self._url + path} answers {fault.code}: {said}") from None
            except OSError as fault:
                if attempt == self.ATTEMPTS - 1:
                    raise OSError(f"{self._url + path} cannot be reached: {fault}") from None
            time.sleep(0.2 * 2**attempt)


def _text(value: Any) -> Any:
    """Values that JSON has not: as text, from which the receiver makes them again."""
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if hasattr(value, "total_seconds"):
        return int(value.total_seconds() * 1000)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# --- options ---------------------------------------------------------------------------------------------------------


def _needed(options: Mapping[str, str], name: str) -> str:
    if name not in options:
        raise ValueError(f"the option {name} is missing")
    return options[name]


def _token(options: Mapping[str, str]) -> str | None:
    variable = options.get("token_env")
    if variable is None:
        return options.get("token")
    if variable not in os.environ:
        raise ValueError(f"token_env '{variable}' names no environment variable")
    return os.environ[variable]
