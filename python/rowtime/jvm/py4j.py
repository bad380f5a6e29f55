"""The planner in Spark's own JVM, through the gateway of a SparkSession. Everything that runs uses it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rowtime.errors import RowtimeError, error
from rowtime.jvm import PLANNER_CLASS
from rowtime.jvm.catalogs import Catalog, SentCatalogs
from rowtime.jvm.jars import spark_jars_setting
from rowtime.jvm.messages import plain
from rowtime.jvm.positions import in_characters
from rowtime.jvm.process import fault_of_end

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession


class Py4jPlanner:
    """The planner service of a SparkSession's JVM. Raises RowtimeError RT0613 (Spark Connect, which has no JVM to
    call), RT0614 (the session was started without our jars) and RT0638 (the JVM has ended)."""

    def __init__(self, spark: SparkSession) -> None:
        self._service = java_class(spark, PLANNER_CLASS)()
        self._sent = SentCatalogs()
        remember_classes(spark)

    def plan(self, catalog: Catalog | str, request: str) -> str:
        try:
            reply = self._sent.request(lambda known: str(self._service.plan(known, request)), catalog)
        except Exception as fault:
            ended = fault_of_end(fault)
            if ended is None:
                raise
            raise ended from fault
        return in_characters(request, reply)


_classes: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""The classes found so far, by the gateway of their JVM."""


_OF_PYSPARK = (
    "functions",
    "PythonUtils",
    "org.apache.spark.sql.functions",
    "org.apache.spark.sql.types.Metadata",
    "org.apache.spark.sql.classic.SparkSession",
    "org.apache.spark.sql.catalyst.trees.PySparkCurrentOrigin",
)
"""The classes that PySpark looks up for each column and each DataFrame."""


def remember_classes(spark: SparkSession) -> None:
    """Keeps the classes that PySpark looks up again and again. For each look-up of a short name, py4j asks the JVM for
    a class of that name in a dozen packages, and the JVM looks for it in each of its jars."""
    from py4j.java_gateway import JavaClass

    jvm = _jvm(spark)
    for name in _OF_PYSPARK:
        if name not in vars(jvm):
            found = getattr(jvm, name, None)
            if isinstance(found, JavaClass):
                setattr(jvm, name, _class(jvm._gateway_client, found._fqn))


def java_class(spark: SparkSession | SparkContext, name: str) -> Any:
    """Returns a class in the session's JVM, as py4j represents it: call it for an instance, or call its static methods.
    Raises RowtimeError RT0613, and RT0614 if one of our classes is missing."""
    gateway = _jvm(spark)._gateway_client
    found = _classes.setdefault(gateway, {})
    if name not in found:
        # py4j looks a class up only when it is called.
        if not _has_class(gateway, name):
            raise missing_jars()
        found[name] = _class(gateway, name)
    return found[name]


def java_list(spark: SparkSession, values: Sequence[object]) -> Any:
    """Returns a Java list of simple values."""
    made = _class(_jvm(spark)._gateway_client, "java.util.ArrayList")()
    for value in values:
        made.add(value)
    return made


def java_map(spark: SparkSession, values: Mapping[str, object]) -> Any:
    """Returns a Java map of simple values."""
    made = _class(_jvm(spark)._gateway_client, "java.util.HashMap")()
    for name, value in values.items():
        made.put(name, value)
    return made


def java_causes(fault: BaseException) -> Iterator[Any]:
    """Yields the Java exception behind one of py4j or PySpark, and its causes; nothing if there is none."""
    cause: Any = getattr(fault, "java_exception", None) or getattr(fault, "_origin", None)
    while cause is not None:
        yield cause
        cause = cause.getCause()


def java_message(fault: BaseException) -> str:
    """Returns the message of a Java exception in one line; PySpark converts some of them, and leaves others in py4j's
    form."""
    java: Any = getattr(fault, "java_exception", None)
    said = java.getMessage() if java is not None else getattr(fault, "_desc", None)
    return plain(str(said or fault)) or "no reason was given"


def is_submitted() -> bool:
    """Returns whether spark-submit has started this process, and before it the JVM."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def missing_jars() -> RowtimeError:
    """Returns the error for a session without our jars, which cannot be added to a running one; it says how to start
    one with them."""
    problem = "This SparkSession was started without the jars of rowtime"
    if is_submitted():
        hint = "Run rowtime spark-conf > rowtime.conf, then spark-submit --properties-file rowtime.conf"
        return error("RT0614", problem, hint=hint)
    return error(
        "RT0614",
        problem,
        hint=f"Set spark.jars before the session starts, for example "
        f'SparkSession.builder.config("spark.jars", "{spark_jars_setting()}"), or let rowtime.connect() start one',
    )


def _jvm(spark: SparkSession | SparkContext) -> Any:
    try:
        jvm = spark._jvm
    except Exception:
        # PySpark raises an error class of its own, which differs between Spark Connect and a stopped session.
        jvm = None
    if jvm is None:
        raise error(
            "RT0613",
            "rowtime needs a classic SparkSession; this one has no JVM gateway (Spark Connect, or stopped)",
            hint="Start the session without spark.remote and spark.api.mode=connect",
        )
    return jvm


def _class(gateway: Any, name: str) -> Any:
    """Returns a class by its full name. Through an attribute of `jvm`, py4j would ask the JVM for each package too, and
    the JVM would look for a class of that name in each of its jars."""
    return _remembering()(name, gateway)


@cache
def _remembering() -> Any:
    from py4j.java_gateway import JavaClass, JavaMember

    class Remembering(JavaClass):  # type: ignore[misc]
        """A class that asks the JVM only once whether it has a static method."""

        def __getattr__(self, name: str) -> Any:
            found = super().__getattr__(name)
            if isinstance(found, JavaMember):
                self.__dict__[name] = found
            return found

    return Remembering


def _has_class(gateway: Any, name: str) -> bool:
    from py4j.protocol import Py4JJavaError

    loader = _class(gateway, "java.lang.Thread").currentThread().getContextClassLoader()
    try:
        loader.loadClass(name)
    except Py4JJavaError:
        return False
    return True
