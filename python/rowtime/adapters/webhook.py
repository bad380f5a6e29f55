"""A webhook as a stream: a small HTTP server to which rows and bounds are posted; and a target that posts them.

    CREATE FOREIGN STREAM clicks (page VARCHAR) OPTIONS (
        connector 'python', class 'rowtime.adapters.webhook:Webhook', port '8080', token_env 'CLICKS_TOKEN')

`POST /` accepts a row as a JSON object, an array of rows, or one row per line. `POST /bound` accepts a time: no later
row is earlier. The server responds when the data is on disk, where it stays until every reader of the stream has
committed it. If a request repeats an earlier `Idempotency-Key`, the server responds, but does not accept the data
again.

The server runs in the process that reads the stream, for as long as it reads. If there are several queries, one runs
the server, and all of them read its data.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
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
from rowtime.adapters.client import Redirected, is_web_address, send
from rowtime.adapters.requests import RequestRefused, Server
from rowtime.adapters.spool import BOUND, Request, Spool
from rowtime.limits import DEPTH, NUMBER_LENGTH, RECORD_BYTES
from rowtime.numerals import natural
from rowtime.secrets import given
from rowtime.storage.smallfiles import write_whole
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column, columns
from rowtime.types.times import parse_duration, parse_micros, to_datetime
from rowtime.types.values import BadValue, to_stored

RECEIVED = "received"
ADDRESS = "address"
_SEEN_EVERY = 60.0


class Webhook(DataSource):
    """See the module. Options to receive: port (0: any free port, which the file `address` in `rowtime.folder` names);
    host (127.0.0.1); token_env, token_file or token, which requests must carry as `Authorization: Bearer …`, or
    auth 'none'; rowtime, the field that fills ROWTIME, or `received`; keep ('1 DAY'), how long a reader may be
    absent. Options to send: url; token_env, token_file or token."""

    takes_bounds = True
    # It looks the token up itself, in the process that serves.
    own_options = ("token_env", "token_file")

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
        self._spool = Spool(self._folder)
        self._reader = options["rowtime.reader"]
        self._earliest = options.get("rowtime.start") == "earliest"
        self._keep = parse_duration(options.get("keep", "1 DAY")) * 1000
        self._host, self._port = options.get("host", "127.0.0.1"), _port(_required(options, "port"))
        self._token = _token(options)
        self._form = PayloadFormat(columns(json.loads(options["rowtime.columns"])), options.get("rowtime", ROWTIME))
        auth = options.get("auth", "token")
        if auth not in ("token", "none"):
            raise ValueError("auth must be 'token' or 'none'")
        if auth == "none" and self._token is not None:
            raise ValueError("auth 'none' takes no token")
        if auth == "token" and self._token is None:
            raise ValueError(
                "requests need a token: set the option token_env or token_file; "
                "auth 'none' accepts anyone who can reach it"
            )
        self._server: Server | None = None
        self._seen = 0.0

    def initialOffset(self) -> dict[str, Any]:
        return {"seq": self._spool.begin(self._reader, earliest=self._earliest)}

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        self._serve()
        if time.monotonic() - self._seen > _SEEN_EVERY:
            self._seen = time.monotonic()
            self._spool.keep_alive(self._reader)
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
        self._spool.leave()
        if self._server is not None:
            self._server.stop()
            self._server = None

    def _serve(self) -> None:
        """Starts the server, unless another query of the stream runs it."""
        if self._server is not None:
            return
        identity = self._spool.identity()
        try:
            server = Server((self._host, self._port), self._accept, self._token, identity)
        except OSError as fault:
            if not _is_ours(self._host, self._port, identity):
                raise OSError(f"cannot listen on {self._host}:{self._port}: {fault}") from None
            return
        server.begin()
        self._server = server
        write_whole(self._folder / ADDRESS, f"{self._host}:{server.server_address[1]}".encode())

    def _accept(self, path: str, body: str, key: str | None) -> Mapping[str, Any]:
        if path == "/":
            count = self._form.check(body)
            return {"rows": count if count and self._spool.add_rows(body, key) else 0}
        if path == "/bound":
            text = body.strip().strip('"')
            micros = parse_micros(text)
            try:
                to_datetime(micros // 1000)
            except ArithmeticError:
                raise ValueError(f"Not a time in the years 1 to 9999: {text}") from None
            if self._spool.add_bound(micros):
                return {"bound": text}
            raise RequestRefused(409, "A bound cannot go back")
        raise RequestRefused(404, "The paths are / for rows and /bound")


class PayloadFormat:
    """Converts posted bodies to rows."""

    def __init__(self, named: Sequence[Column], rowtime: str) -> None:
        self._columns = named
        self._rowtime = rowtime

    def rows(self, request: Request) -> Iterator[dict[str, Any]]:
        for row in parse_body(request.body):
            yield self._row(row, request.received)

    def check(self, body: str) -> int:
        """Returns the number of rows in a body. Raises ValueError if one of them is not a row of the stream."""
        count = 0
        for count, row in enumerate(parse_body(body), 1):
            try:
                filled = self._row(row, 0)
                for column in self._columns:
                    to_stored(filled[column.name], column)
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


def parse_body(body: str) -> list[Any]:
    """Returns the rows of a body. Raises ValueError if the body is not JSON, or exceeds the limits of
    `rowtime.limits`."""
    _check_depth(body)
    try:
        found = _parse_json(body)
    except json.JSONDecodeError:
        lines = [line for line in body.split("\n") if line.strip()]
        if len(lines) < 2:
            raise
        return [_parse_json(line) for line in lines]
    return found if isinstance(found, list) else [found]


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_fraction, parse_int=_integer)
    except RecursionError:
        raise _nesting_error() from None


def _integer(text: str) -> int:
    return int(_check_length(text))


def _fraction(text: str) -> Decimal:
    try:
        return Decimal(_check_length(text))
    except InvalidOperation:
        raise ValueError(f"a number whose exponent is out of range: {text}") from None


def _check_length(text: str) -> str:
    if len(text) > NUMBER_LENGTH:
        raise ValueError(f"a number of more than {NUMBER_LENGTH:,} characters")
    return text


def _check_depth(body: str) -> None:
    if body.count("[") + body.count("{") <= DEPTH:
        return
    depth, at = 0, 0
    while found := _MARK.search(body, at):
        at = found.end()
        token = found[0]
        if token == '"':
            at = _end_of_string(body, at)
        elif token in "[{":
            depth += 1
            if depth > DEPTH:
                raise _nesting_error()
        else:
            depth = max(depth - 1, 0)


_MARK = re.compile(r'["\[\]{}]')
_IN_STRING = re.compile(r'["\\]')


def _end_of_string(body: str, at: int) -> int:
    """Returns the position after the string that contains position `at`; that of the end if it is not closed."""
    while found := _IN_STRING.search(body, at):
        if found[0] == '"':
            return found.end()
        at = found.end() + 1
    return len(body)


def _nesting_error() -> ValueError:
    return ValueError(f"nested deeper than {DEPTH} levels")


def _is_ours(host: str, port: int, identity: str) -> bool:
    try:
        with send(f"http://{host}:{port}/", timeout=5) as answer:
            return bool(json.load(answer).get("identity") == identity)
    except (OSError, ValueError, AttributeError):
        return False


# --- sending ---------------------------------------------------------------------------------------------------------


class Sender(DataSourceWriter):
    """Posts rows, `_ROWS` per request, and bounds. A repeated batch has the same keys."""

    MOST = 1000
    ATTEMPTS = 6

    def __init__(self, options: Mapping[str, str]) -> None:
        self._url = _required(options, "url").rstrip("/")
        if not is_web_address(self._url):
            raise ValueError("url is not an address of HTTP, such as http://host:8080")
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

    def _send(self, rows: list[dict[str, Any]], number: int | str) -> None:
        body = json.dumps(rows, default=_to_json)
        if len(body) > RECORD_BYTES and len(rows) > 1:
            # The receiver accepts no more per request. The halves are the same when the batch is repeated.
            half = len(rows) // 2
            self._send(rows[:half], f"{number}a")
            self._send(rows[half:], f"{number}b")
            return
        self._post("/", body, None if self._key is None else f"{self._key}-{number}")

    def _post(self, path: str, body: str, key: str | None) -> None:
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self._url + path, body.encode(), headers, method="POST")
        for attempt in range(self.ATTEMPTS):
            try:
                with send(request, timeout=60) as answer:
                    answer.read()
                return
            except urllib.error.HTTPError as fault:
                if fault.code < 500 or attempt == self.ATTEMPTS - 1:
                    said = fault.read(500).decode("utf-8", "replace")
                    raise OSError(f"{self._url + path} answers {fault.code}: {said}") from None
            except Redirected as fault:
                raise OSError(f"{self._url + path} {fault}") from None
            except OSError as fault:
                if attempt == self.ATTEMPTS - 1:
                    raise OSError(f"{self._url + path} cannot be reached: {fault}") from None
            time.sleep(0.2 * 2**attempt)


def _to_json(value: Any) -> Any:
    """Returns values that JSON does not have as text, which the receiver converts back."""
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if hasattr(value, "total_seconds"):
        return int(value.total_seconds() * 1000)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# --- options ---------------------------------------------------------------------------------------------------------


def _required(options: Mapping[str, str], name: str) -> str:
    if name not in options:
        raise ValueError(f"the option {name} is missing")
    return options[name]


def _port(text: str) -> int:
    port = natural(text)
    if port is None or port >= 1 << 16:
        raise ValueError(f"port '{text}' is not a port")
    return port


def _token(options: Mapping[str, str]) -> str | None:
    """Returns the token, from wherever the options say."""
    try:
        token = given.value(options, "token")
    except given.Unavailable as fault:
        raise ValueError(f"the webhook {fault}") from None
    if token == "":
        raise ValueError("the token is empty")
    if token is not None and not (token.isascii() and token.isprintable()):
        raise ValueError("the token has characters that are not allowed in an HTTP header")
    return token
