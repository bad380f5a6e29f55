"""The Python API: a session over a warehouse and a SparkSession.

    import rowtime
    rt = rowtime.connect()
    rt.sql("CREATE STREAM orders (product INTEGER, units INTEGER)")
    query = rt.sql("SELECT STREAM * FROM orders WHERE units > 3")
    rt.producer("ORDERS").insert([{"product": 30, "units": 4}])
    query.process_all_available()
    print(query.rows())

Every error is a `RowtimeError` with diagnostics, never a Java stack trace.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.jvm import archive
from rowtime.lexical.identifiers import folded
from rowtime.planner import (
    ChangeRows,
    Define,
    Describe,
    Explain,
    Insert,
    Planned,
    Select,
    Show,
    plan,
    plan_rel,
    refuse_unsupported,
)
from rowtime.query_plan import Plan
from rowtime.runtime.checkpoint.partitions import parse_partitions
from rowtime.runtime.ddl.explained_changes import explained
from rowtime.runtime.dml.changes import Changed
from rowtime.runtime.pump.status import PumpStatus
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.runtime.runtime import Runtime
from rowtime.runtime.sinks import MemorySink, Sink
from rowtime.runtime.statements import describe, explain, show
from rowtime.session_functions import scalar_function, table_function
from rowtime.streams.log import StreamLog
from rowtime.streams.maintenance import LogMaintenance
from rowtime.streams.producer import Inserted, Producer
from rowtime.streams.start import Start
from rowtime.types import times

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowtime.metrics.server import MetricsServer
    from rowtime.serve.server import JdbcServer

Done = Query | Relation | Inserted | Changed | None
"""The result of a statement."""


class Session:
    """A warehouse and a SparkSession, created by `connect`. Several threads may use a session."""

    def __init__(
        self,
        spark: SparkSession,
        store: Store,
        *,
        owns_spark: bool,
        pumps: bool = True,
        partitions: int | None = None,
        check_claims: bool | None = None,
    ) -> None:
        from rowtime.jvm import callbacks
        from rowtime.jvm.functions import register
        from rowtime.jvm.py4j import Py4jPlanner

        self.spark = spark
        self.store = store
        self._owns_spark = owns_spark
        self._servers: list[MetricsServer | JdbcServer] = []
        self._planner = Py4jPlanner(spark)
        register(spark)
        # Before PySpark does it, without a token.
        callbacks.start(spark)
        self.runtime = Runtime(spark, store, self._plan, partitions, check_claims)
        self._lock = threading.RLock()
        self._maintenance = LogMaintenance(store, self.runtime.launcher.log.open_logs, self.runtime.sweep)
        self._maintenance.start()
        self.runtime.open(pumps=pumps)

    # --- SQL ---------------------------------------------------------------------------------------------------------

    def sql(self, sql: str) -> Done:
        """Runs one statement. A `SELECT STREAM`, or an `INSERT` of one, returns a running `Query`, which runs until it
        is stopped. A `SELECT` returns a `Relation`, and so do SHOW, DESCRIBE and EXPLAIN. An `INSERT` of rows and a
        `CREATE TABLE … AS` return `Inserted`; UPDATE, DELETE and MERGE return `Changed`; other DDL returns None. Pumps
        that a statement starts are running when it returns. Raises RowtimeError."""
        planned = self._plan(sql)
        return self.run(planned, sql)

    def run(self, planned: Planned, sql: str, producer: str | None = None, sink: Sink | None = None) -> Done:
        """Runs a planned statement; see `sql`. The rows of an INSERT come from the `producer` of that name, which stays
        attached indefinitely. Without a name, they come from a producer that detaches after them. The rows of a `SELECT
        STREAM` go to the `sink`, if there is one."""
        statement = planned.statement
        if not isinstance(statement, Explain):
            refuse_unsupported(statement)
        match statement:
            case Select():
                made = self.plan_of(sql, planned)
                return self.submit(made, sink) if statement.streaming else self.relation(made)
            case Insert():
                if statement.streaming:
                    return self.runtime.start_insert(sql, statement)
                return self.runtime.insert(statement, producer)
            case ChangeRows():
                return self.runtime.changes.change(statement)
            case Explain():
                return Relation.of_rows(*explain(statement, explained(self.runtime.registry, statement)))
            case Show():
                return Relation.of_rows(*show(self.store, statement.object, statement.like))
            case Describe():
                return Relation.of_rows(*describe(self.store, statement.object))
            case Define():
                return self.runtime.define(statement, planned.catalog_version)

    def plan(self, sql: str) -> Plan:
        """Plans a query without running it. Raises RowtimeError if it is not valid."""
        return self.plan_of(sql, self._plan(sql))

    def plan_rel(self, rel_json: str) -> Plan:
        """Plans a query that another program has built with Calcite, for example with RelBuilder.

        `rel_json` is the output of Calcite's RelJsonWriter. Its scans use the names of the catalog. A LogicalDelta at
        the top makes it a streaming query.

        It passes the same checks as SQL. Raises RowtimeError RT0422 if it cannot be read, and the errors of the same
        query in SQL.
        """
        planned = plan_rel(self._planner, self.store.snapshot(), rel_json)
        return Plan(
            (planned.statement.calcite or {})["rel"],
            planned.statement,
            planned.warnings,
            lambda forms: plan_rel(self._planner, planned.catalog, rel_json, forms).statement,
        )

    def submit_rel(self, rel_json: str, sink: Sink | None = None, *, start: Start | None = None) -> Query:
        """Starts a streaming query that another program has built with Calcite; see `plan_rel` and `submit`."""
        return self.submit(self.plan_rel(rel_json), sink, start=start)

    def submit(
        self,
        plan: Plan | str,
        sink: Sink | None = None,
        *,
        start: Start | None = None,
        partitions: int | None = None,
    ) -> Query:
        """Starts a streaming query. Without a `sink`, `Query.rows()` returns its rows.

        `start` sets where it starts: `Start()` with the rows that arrive from now on, `Start(earliest=True)` with all
        rows that its streams still hold, `Start(since=ms)` with those from that ROWTIME on. The hint FROM_EARLIEST in
        the query means earliest. `partitions` is the number of its partitions, 1 … 4096 (default: that of the hint
        PARTITIONS, or of the session). Raises RowtimeError RT0412 if the query is not a streaming one, RT0625 for an
        invalid number of partitions.
        """
        if isinstance(plan, str):
            plan = self.plan(plan)
        refuse_unsupported(plan.statement)
        if not isinstance(plan.statement, Select) or not plan.streaming:
            raise error("RT0412", "Only a streaming query can be submitted", hint="Write SELECT STREAM")
        start = (start or Start()).of(plan.statement)
        count = plan.statement.partitions if partitions is None else parse_partitions(partitions, "partitions")
        return self.runtime.start(plan.sql, plan.root, plan.fields, sink or MemorySink(), start, count)

    def relation(self, plan: Plan | str) -> Relation:
        """Returns a relational query, which is computed on first use. Raises RowtimeError RT0413 for a streaming
        query."""
        if isinstance(plan, str):
            plan = self.plan(plan)
        refuse_unsupported(plan.statement)
        if not isinstance(plan.statement, Select) or plan.streaming:
            raise error("RT0413", "This is not a relational query", hint="Leave out STREAM, or use sql() or submit()")
        return Relation(self.runtime, plan.root, plan.fields)

    def table(self, sql: str) -> DataFrame:
        """Returns a query as a DataFrame: a relational query as a batch DataFrame, a `SELECT STREAM` as a streaming
        DataFrame that starts with the rows that arrive from now on."""
        made = self.plan(sql)
        refuse_unsupported(made.statement)
        if not isinstance(made.statement, Select):
            raise error("RT0414", "Only a query can be converted to a DataFrame")
        return self.runtime.frame(made.root, made.fields, Start().of(made.statement))

    # --- streams -----------------------------------------------------------------------------------------------------

    def log(self, stream: str) -> StreamLog:
        """Returns the log of the named stream. The name folds to upper case unless it is in double quotes."""
        return self.runtime.log(self._stream(stream))

    def producer(self, stream: str, name: str | None = None, timeout: int | None = -1) -> Producer:
        """Returns a producer of the named stream. It attaches with its first row or bound. `name` identifies it among
        the producers of the stream (default: a new name). `timeout` is how many milliseconds its attachment outlives
        this process, None for no limit (default: the stream's option producer_timeout, or a minute)."""
        return Producer(self.log(stream), name, timeout)

    def rowtime_bound(self, stream: str | Query) -> dt.datetime | None:
        """Returns the bound of the named stream, or of the output of a running query (UTC, without a time zone): no
        later row is earlier. Returns None if there is no bound yet: for a stream, before its first row."""
        if isinstance(stream, Query):
            return stream.rowtime_bound
        bound = self.log(stream).state().bound
        return None if bound is None else times.to_datetime(bound)

    @property
    def pumps(self) -> list[PumpStatus]:
        """Returns the pumps of the warehouse, whichever process runs them: state, rows, rate, rowtime, lag, late rows
        and error."""
        return self.runtime.pumps.status()

    def register_stream(self, name: str, df: DataFrame, rowtime: str | None = None) -> None:
        """Registers a streaming DataFrame as a stream for the queries of this session.

        `rowtime` is the TIMESTAMP column for its ROWTIME. Rows must arrive in its order, up to the watermark that the
        DataFrame defines on it. The catalog lists it as a foreign stream of connector 'dataframe', for as long as this
        session lasts. Raises RowtimeError RT0416 if the DataFrame is not suitable.
        """
        from rowtime.foreign.dataframes import definition

        with self._lock:
            described = definition(folded(name), df, rowtime)
            self.store.commit([{"action": "create", "object": described, "replace": True}])
            self.runtime.register(described["name"], df)

    def register_function(
        self,
        name: str,
        function: Callable[..., object],
        args: Sequence[str],
        returns: str,
        *,
        deterministic: bool = True,
    ) -> None:
        """Registers a Python function for the SQL of this session.

        `args` are the SQL types of its parameters, `returns` is the type of its result: `args=["INTEGER", "VARCHAR"]`.
        NULL is None, and a TIMESTAMP is a datetime in UTC without a time zone. It replaces a function of the same
        name, is listed by SHOW FUNCTIONS, and lasts as long as this process; use CREATE FUNCTION for a permanent
        function. Raises RowtimeError RT0317 if SQL has a built-in function of that name, RT01… for an unknown type.
        """
        self.sql(scalar_function(folded(name), function, args, returns, deterministic=deterministic))

    def register_table_function(
        self,
        name: str,
        function: Callable[..., object],
        args: Sequence[str],
        returns: Mapping[str, str],
        *,
        deterministic: bool = True,
        state_ttl: str | None = None,
        delay: str | None = None,
    ) -> None:
        """Registers a table function in Python for the SQL of this session.

        `args` are the SQL types of its parameters, A1, A2, …; `returns` are the names and SQL types of its columns. If
        one of `args` is TABLE, the function processes a table: it is a class with the methods `process(row, context)`
        and `on_timer(name, context)`, or a function of (row, context); `state_ttl` and `delay` are durations such as '1
        hour'. Otherwise it is a function that returns or yields rows. It lasts as long as this process, like a function
        of `register_function`. Raises RowtimeError RT0317 if SQL has a built-in function of that name, RT0310 and
        RT0311 for invalid options, RT0328 for invalid parameters, RT01… for an unknown type.
        """
        options = {"state_ttl": state_ttl, "delay": delay}
        self.sql(table_function(folded(name), function, args, returns, options, deterministic=deterministic))

    # --- the session itself ------------------------------------------------------------------------------------------

    @property
    def queries(self) -> list[Query]:
        """Returns the running streaming queries, in the order in which they were started."""
        return self.runtime.queries

    def serve_metrics(self, port: int, address: str = "127.0.0.1", *, hosts: Sequence[str] = ()) -> MetricsServer:
        """Serves Prometheus metrics of this session's queries and pumps and of the warehouse's streams, at
        `http://address:port/metrics`, until the session is closed. Port 0 chooses a free port, which the returned
        server names. At a loopback address, it answers requests for `localhost`, for loopback addresses, and for
        `hosts`.

        Raises RowtimeError RT0616 if rowtime is installed without its extra `metrics`, RT0617 if the port cannot be
        opened.
        """
        from rowtime.metrics.server import serve

        made = serve(self.runtime, port, address, hosts)
        self._servers.append(made)
        return made

    def serve_jdbc(
        self,
        port: int = 7655,
        address: str = "127.0.0.1",
        *,
        user: str = "rowtime",
        password: str | None = None,
        keystore: str | None = None,
        keystore_password: str = "",
        idle_timeout: float = 600,
        hosts: Sequence[str] = (),
        code: bool = True,
    ) -> JdbcServer:
        """Serves JDBC clients at `jdbc:rowtime://address:port`, until the session is closed. Port 0 chooses a free
        port, which the returned server names.

        If a `password` is given, clients need it and the `user`. `keystore` is a PKCS #12 file with the key and the
        certificate for TLS. At an address that is not of this machine only, both are needed. A connection that is not
        used for `idle_timeout` seconds is closed, and its queries end.

        Without TLS, the server answers requests for `localhost`, for loopback addresses, and for `hosts`. Without
        `code`, it refuses statements that name classes, modules, jars or local files.

        Raises RowtimeError RT0617 if the port cannot be opened, RT0628 if the address needs a password and TLS, RT0629
        if the key store cannot be used.
        """
        from rowtime.serve.engine import Engine
        from rowtime.serve.server import serve

        made = serve(
            Engine(self._planner, self.runtime, self.run, code=code),
            self.spark,
            self.store,
            port,
            address,
            user=user,
            password=password,
            keystore=keystore,
            keystore_password=keystore_password,
            idle_timeout=idle_timeout,
            hosts=hosts,
        )
        self._servers.append(made)
        return made

    def settings_for(self, plan: Plan | str) -> dict[str, str]:
        """Returns the session settings with which rowtime would start this query, for a DataFrame that you start
        yourself."""
        if isinstance(plan, str):
            plan = self.plan(plan)
        return self.runtime.launcher.settings(plan.root, "", plan.statement.partitions)

    def close(self) -> None:
        """Ends all queries of this session and the pumps that it runs. Stops Spark if `connect` started it."""
        # A process that holds a lock must not block this one.
        self.store.wait_control.leave()
        while self._servers:
            self._servers.pop().close()
        self.runtime.close()
        self._maintenance.stop()
        self.store.close()
        if self._owns_spark:
            self.spark.stop()
            archive.build_if_missing()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _plan(self, sql: str) -> Planned:
        return plan(self._planner, self.store.snapshot(), sql.strip().removesuffix(";"))

    def plan_of(self, sql: str, planned: Planned) -> Plan:
        """Returns a planned statement as a plan."""
        text = sql.strip().removesuffix(";")
        return Plan(
            sql,
            planned.statement,
            planned.warnings,
            lambda forms: plan(self._planner, planned.catalog, text, exchange=forms).statement,
        )

    def plan_at(self, sql: str, line: int, column: int) -> Planned:
        """Plans a statement of a script, whose positions count from there."""
        return plan(self._planner, self.store.snapshot(), sql, line, column)

    def _stream(self, name: str) -> Entry:
        found = folded(name)
        entry = self.store.get(found)
        if entry is None:
            raise error("RT0312", f"Object '{found}' does not exist")
        if entry.kind != "STREAM":
            raise error("RT0415", f"'{found}' is a {entry.kind.lower()}; only named streams have producers and a bound")
        return entry


__all__: Sequence[str] = ("Plan", "Session")
