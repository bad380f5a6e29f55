"""Connector 'python': adapters that send and take bounds, the webhook among them."""

from __future__ import annotations

import datetime as dt
import json
import socket
import textwrap
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from queries import drained_by_minute, start_query
from webhook_client import TOKEN, Client

from rowtime.errors import RowtimeError
from rowtime.runtime.relation import Relation
from rowtime.session import Session

HOURS = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s FROM clicks GROUP BY FLOOR(rowtime TO HOUR)"

ADAPTERS = """
    import datetime as dt
    import json
    import pathlib
    from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter, SimpleDataSourceStreamReader
    from pyspark.sql.datasource import WriterCommitMessage
    from rowtime.adapters import Bound

    class Lines(DataSource):
        takes_bounds = True

        def simpleStreamReader(self, schema):
            return Tail(pathlib.Path(self.options["file"]))

        def reader(self, schema):
            return Whole(self.options["file"])

        def writer(self, schema, overwrite):
            assert schema.fieldNames() == [column["name"] for column in json.loads(self.options["rowtime.columns"])]
            return Append(self.options)

    class Tail(SimpleDataSourceStreamReader):
        def __init__(self, file):
            self.file = file

        def initialOffset(self):
            return {"line": 0}

        def read(self, start):
            end = {"line": len(self.file.read_text().splitlines())}
            return self.readBetweenOffsets(start, end), end

        def readBetweenOffsets(self, start, end):
            def rows():
                for line in self.file.read_text().splitlines()[start["line"] : end["line"]]:
                    found = json.loads(line)
                    if isinstance(found, dict) and "fail" in found:
                        raise ValueError(found["fail"])
                    yield Bound(dt.datetime.fromisoformat(found)) if isinstance(found, str) else found
            return iter(list(rows()))

    class Whole(DataSourceReader):
        def __init__(self, file):
            self.file = file

        def read(self, partition):
            for line in open(self.file):
                yield tuple(json.loads(line))

    class Append(DataSourceWriter):
        def __init__(self, options):
            self.options = dict(options)

        def write(self, iterator):
            with open(self.options["file"], "a") as file:
                for row in iterator:
                    what = ["bound", str(row.time)] if isinstance(row, Bound) else [str(value) for value in row]
                    print(json.dumps([self.options.get("rowtime.batch"), *what]), file=file)
            return WriterCommitMessage()

    class Nothing(DataSource):
        pass
"""


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Returns the name of a module with adapters next to a script."""
    name = f"adapters_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(ADAPTERS))
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def create(rt: Session, columns: str, options: str, kind: str = "STREAM", name: str = "clicks") -> None:
    rt.sql(f"CREATE FOREIGN {kind} {name} ({columns}) OPTIONS (connector 'python', {options})")


def append(file: Path, *found: Any) -> None:
    with file.open("a") as out:
        for one in found:
            print(json.dumps(one), file=out)


def row(at: str, n: int) -> dict[str, Any]:
    return {"rowtime": f"2024-05-01T{at}:00Z", "n": n}


# --- adapters of one's own -------------------------------------------------------------------------------------------


def test_rows_and_bounds_of_a_source(rt: Session, tmp_path: Path, lines: str) -> None:
    file = tmp_path / "lines"
    append(file, row("10:10", 1))
    create(
        rt,
        "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT NOT NULL",
        f"class '{lines}:Lines', file '{file}'",
    )
    query, hours = start_query(rt, "SELECT STREAM rowtime, n FROM clicks WHERE n > 1"), start_query(rt, HOURS)
    rt.sql("CREATE STREAM copies (n INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copies SELECT STREAM rowtime, n FROM clicks")
    assert (drained_by_minute(query), drained_by_minute(hours)) == ([], [])
    # Nothing but a bound, which goes beyond what the LATENESS says.
    append(file, "2024-05-01T11:00:00")
    assert (drained_by_minute(query), drained_by_minute(hours)) == ([], [("10:00", 1)])
    rt.runtime.settle([])
    assert rt.rowtime_bound("COPIES") == dt.datetime(2024, 5, 1, 11)
    for each in (query, hours):
        each.kill()
        each.restart()
    append(file, row("10:59", 2), row("11:00", 4), {"n": "x"}, row("11:30", 8), [1], "2024-05-01T12:00:00")
    assert drained_by_minute(query) == [("11:00", 4), ("11:30", 8)]
    assert drained_by_minute(hours) == [("11:00", 12)]
    assert query.progress.late == {"CLICKS": 1}
    assert query.progress.bad_rows == 2


def test_rows_and_bounds_of_a_target(rt: Session, tmp_path: Path, lines: str) -> None:
    file = tmp_path / "out"
    columns = 'n INT, price DECIMAL(8, 2), "at" TIMESTAMP(3), d DATE, t TIME, b BOOLEAN'
    create(rt, columns, f"class '{lines}:Lines', file '{file}'")
    rt.sql("CREATE STREAM orders (n INTEGER)")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO clicks SELECT STREAM rowtime, n, n / 4.0, rowtime, DATE '2024-05-01', "
        "TIME '10:11:12', TRUE FROM orders"
    )
    with rt.producer("ORDERS") as orders:
        orders.insert([(dt.datetime(2024, 5, 1, 10), 1)])
        rt.runtime.settle([])
        orders.set_rowtime_bound(dt.datetime(2024, 5, 1, 11))
        rt.runtime.settle([])
    assert [pump.error for pump in rt.pumps] == [None]
    written = [json.loads(line) for line in file.read_text().splitlines()]
    when = "2024-05-01 10:00:00"
    assert [one[1:] for one in written if one[1] != "bound"] == [
        [when, "1", "0.25", when, "2024-05-01", "10:11:12", "True"]
    ]
    bounds = [one[2] for one in written if one[1] == "bound"]
    assert bounds[-1] == "2024-05-01 11:00:00" and bounds == sorted(bounds)
    assert all(one[0] is not None for one in written)
    # Another session of the same program is the active one of this thread.
    sessions = rt.spark._jvm.org.apache.spark.sql.classic.SparkSession
    sessions.setActiveSession(rt.spark.newSession()._jsparkSession)
    try:
        rt.sql("INSERT INTO clicks (rowtime, n) VALUES (TIMESTAMP '2024-05-01 12:00:00', 2)")
    finally:
        sessions.setActiveSession(rt.spark._jsparkSession)
    assert json.loads(file.read_text().splitlines()[-1]) == [None, "2024-05-01 12:00:00", "2", *["None"] * 5]


def test_a_table(rt: Session, tmp_path: Path, lines: str) -> None:
    file = tmp_path / "rows"
    append(file, [1, "2024-05-01T10:00:00+02:00", "1.5", ["a"]], [2, None, None, None])
    columns = 'n INT, "at" TIMESTAMP(3), price DECIMAL(8, 2), tags VARCHAR ARRAY'
    create(rt, columns, f"class '{lines}:Lines', file '{file}'", "TABLE")
    found = rt.sql("SELECT * FROM clicks ORDER BY n")
    assert isinstance(found, Relation)
    assert found.tuples() == [(1, dt.datetime(2024, 5, 1, 8), Decimal("1.50"), ["a"]), (2, None, None, None)]


def test_what_goes_wrong(rt: Session, tmp_path: Path, lines: str) -> None:
    file = tmp_path / "lines"
    append(file, {"fail": "is not to be"})
    cases = [
        ("n INT", "class 'no_such:Thing'", "RT0546", "no_such"),
        ("n INT", f"class '{lines}:Bound'", "RT0546", "is not a pyspark.sql.datasource.DataSource"),
        ("n INT", f"file '{file}'", "RT0521", "needs the option class"),
        ("n TIME ARRAY", f"class '{lines}:Lines', file '{file}'", "RT0542", "adapters do not support"),
        ("n INT", f"class '{lines}:Lines'", "RT0547", "file"),
        ("n INT", f"class '{lines}:Nothing'", "RT0547", "does not support this"),
        ("n INT", f"class '{lines}:Lines', file '{file}'", "RT0547", "ValueError: is not to be"),
    ]
    for number, (columns, options, code, says) in enumerate(cases):
        with pytest.raises(RowtimeError) as found:  # noqa: PT012
            create(rt, columns, options, name=f"s{number}")
            drained_by_minute(start_query(rt, f"SELECT STREAM rowtime, n FROM s{number}"))
        text = found.value.diagnostics[0].message
        assert (found.value.code, says in text) == (code, True), (options, text)
        assert "Traceback" not in text and "\n" not in text and "\tat " not in text


# --- the webhook -----------------------------------------------------------------------------------------------------


@pytest.fixture
def client() -> Client:
    return Client()


def webhook(rt: Session, client: Client, more: str = "", columns: str = "n INT NOT NULL") -> None:
    create(rt, columns, f"class 'rowtime.adapters.webhook:Webhook', port '{client.port}', token '{TOKEN}'{more}")


def test_posted_rows_and_bounds_close_windows(rt: Session, client: Client) -> None:
    """Two queries read the rows that one of them receives. Both are restarted in the middle, and no row is lost or
    repeated."""
    webhook(rt, client)
    hours, query = start_query(rt, HOURS), start_query(rt, "SELECT STREAM rowtime, n FROM clicks")
    assert client.post(row("10:10", 1)) == (200, {"rows": 1})
    assert client.post([row("10:20", 2), row("10:30", 4)], Idempotency_Key="a") == (200, {"rows": 2})
    assert client.post([row("10:20", 2), row("10:30", 4)], Idempotency_Key="a") == (200, {"rows": 0})
    assert drained_by_minute(query) == [("10:10", 1), ("10:20", 2), ("10:30", 4)]
    assert drained_by_minute(hours) == []
    assert client.post("2024-05-01 11:00:00", "/bound")[0] == 200
    assert (drained_by_minute(query), drained_by_minute(hours)) == ([], [("10:00", 7)])
    # Answered, and perhaps not read yet, when all are killed.
    assert client.post("\n".join(json.dumps(row(at, n)) for at, n in (("11:10", 8), ("11:20", 16))))[1] == {"rows": 2}
    for each in (query, hours):
        each.kill()
    for each in (query, hours):
        each.restart()
    assert client.post(row("11:40", 32))[0] == 200
    assert client.post(row("10:59", 64))[0] == 200
    assert client.post('"2024-05-01T12:00:00Z"', "/bound")[0] == 200
    assert drained_by_minute(query) == [("11:10", 8), ("11:20", 16), ("11:40", 32)]
    assert drained_by_minute(hours) == [("11:00", 56)]
    assert query.progress.late == {"CLICKS": 1}
    # What all have committed is not kept.
    entry = rt.store.get("CLICKS")
    assert entry is not None
    from rowtime.adapters.spool import Spool
    from rowtime.sources.foreign import adapter_folder

    spool = Spool(adapter_folder(rt.store, entry))
    deadline = time.monotonic() + 120
    while spool.count() > 3:
        assert time.monotonic() < deadline
        client.post(row("12:30", 0))
        query.process_all_available()
        hours.process_all_available()


def test_what_cannot_be_posted(rt: Session, client: Client) -> None:
    webhook(rt, client, ", rowtime 'received'")
    query = start_query(rt, "SELECT STREAM n FROM clicks")
    key = {"Authorization": f"Bearer {TOKEN}"}
    assert client.post({"n": 1}, Authorization="")[0] == 401
    assert client.post({"n": 1}, Authorization="Bearer other")[0] == 401
    assert client.post([{"n": 1}, {"n": "x"}], **key) == (400, {"error": "row 2: N: 'x' is not an INTEGER"})
    assert client.post({}, **key) == (400, {"error": "row 1: N: NULL in a column that is NOT NULL"})
    assert client.post("{", **key)[0] == 400
    assert client.post("7", **key) == (400, {"error": "row 1: not a JSON object"})
    assert client.post({"n": 1}, "/other", **key)[0] == 404
    assert client.post("today", "/bound", **key)[0] == 400
    assert client.post("9999-12-31T23:59:59-12:00", "/bound", **key)[0] == 400
    before = dt.datetime.now(dt.timezone.utc).replace(tzinfo=None) - dt.timedelta(seconds=1)
    assert client.post({"n": 7}, **key) == (200, {"rows": 1})
    query.process_all_available()
    [found] = query.rows()
    assert found.N == 7
    assert client.post(before.isoformat(), "/bound", **key)[0] == 200
    assert client.post("2001-01-01", "/bound", **key)[0] == 409
    [shown] = [text for _, _, text in rt.sql("SHOW FOREIGN STREAMS").tuples()]  # type: ignore[union-attr]
    assert "words" not in shown


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("", "requests need a token: set the option token_env or token_file"),
        (", auth 'basic'", "auth must be 'token' or 'none'"),
        (", auth 'none', token 'x'", "auth 'none' takes no token"),
        (", token 'x', token_env 'Y'", "the webhook has both token and token_env"),
        (", token_env 'NO_SUCH_VARIABLE'", "the environment of this process has no such variable"),
        (", token_file '/no/such/file'", "cannot be read"),
        (", token ''", "the token is empty"),
    ],
)
def test_a_webhook_wants_a_token(rt: Session, options: str, says: str) -> None:
    create(rt, "n INT", f"class 'rowtime.adapters.webhook:Webhook', port '0'{options}")
    with pytest.raises(RowtimeError) as found:
        start_query(rt, "SELECT STREAM n FROM clicks")
    assert (found.value.code, says in str(found.value)) == ("RT0547", True), str(found.value)


def test_a_port_that_is_taken(rt: Session) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        webhook(rt, Client(int(other.getsockname()[1])))
        with pytest.raises(RowtimeError) as found:
            drained_by_minute(start_query(rt, "SELECT STREAM rowtime, n FROM clicks"))
    assert found.value.code == "RT0547" and "cannot listen on" in str(found.value)


def test_from_stream_to_stream_over_http(rt: Session, client: Client) -> None:
    """A pump posts rows and bounds to another stream."""
    columns = "n INT NOT NULL, price DECIMAL(8, 2), d DATE"
    webhook(rt, client, columns=columns)
    hours = start_query(rt, HOURS)
    url = f"url 'http://127.0.0.1:{client.port}', token '{TOKEN}'"
    create(rt, columns, f"class 'rowtime.adapters.webhook:Webhook', {url}", name="goal")
    rt.sql("CREATE STREAM orders (n INTEGER)")
    assert client.post([])[0] == 200
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO goal SELECT STREAM rowtime, n, n / 8.0, DATE '2024-05-01' FROM orders")
    for hour in (10, 11):
        rt.sql(f"INSERT INTO orders (rowtime, n) VALUES (TIMESTAMP '2024-05-01 {hour}:00:00', {hour})")
        rt.runtime.settle([])
    assert drained_by_minute(hours) == [("10:00", 10)]
