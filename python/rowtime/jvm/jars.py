"""Finds the jars: in the installed package, or in `build/jars` of the checkout that the package is imported from.

There are five groups: `app` (rowtime.jar, Calcite, and other libraries that Spark lacks), `planner` (libraries that
Spark has as well, for a JVM without Spark), `delta` (Delta Lake) and `kafka` (Spark's Kafka connector), both for Spark
only, and `jdbc` (the JDBC driver, for clients in Java).
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from rowtime.errors import error

GROUPS = ("app", "planner", "delta", "kafka", "jdbc")


@lru_cache(maxsize=1)
def jar_home() -> Path:
    """Returns the folder that contains the groups. Raises RowtimeError RT0610 if there is none."""
    package = Path(__file__).resolve().parent.parent
    if any((package / "jars" / "app").glob("*.jar")):
        return package / "jars"
    checkout = package.parent.parent
    if not (checkout / "build.gradle").is_file():
        raise error(
            "RT0610",
            f"The jars of rowtime are missing: there is no '{package / 'jars'}'",
            hint="Reinstall rowtime from its wheel: pip install --force-reinstall rowtime",
        )
    if any((checkout / "build" / "jars" / "app").glob("*.jar")):
        return checkout / "build" / "jars"
    raise error(
        "RT0610", f"The jars of rowtime have not been built in '{checkout}'", hint=f"Run: make -C {checkout} jars"
    )


def jar_files(group: str) -> list[Path]:
    """Returns the jars of one group, sorted by name."""
    return sorted((jar_home() / group).glob("*.jar"))


def planner_class_path() -> list[Path]:
    """Returns all jars that the planner needs in a JVM of its own."""
    return [*jar_files("app"), *jar_files("planner")]


def spark_jars() -> list[Path]:
    """Returns all jars that a Spark session needs: the value of `spark.jars`."""
    return [*jar_files("app"), *jar_files("delta"), *jar_files("kafka")]


def spark_jars_setting() -> str:
    """Returns the value of `spark.jars` as one string, to be set before the session starts."""
    return ",".join(str(jar) for jar in spark_jars())


def spark_class_path_setting() -> str:
    """Returns the value of `spark.driver.extraClassPath`."""
    return os.pathsep.join(map(str, spark_jars()))


def spark_class_path() -> list[Path]:
    """Returns all jars of Spark's JVM, if rowtime starts it: ours, then PySpark's."""
    import pyspark

    return [*spark_jars(), *sorted(Path(pyspark.__file__).with_name("jars").glob("*.jar"))]


def jdbc_driver() -> Path:
    """Returns the JDBC driver, a jar that needs no other."""
    return jar_home() / "jdbc" / "rowtime-jdbc.jar"
