"""Spark that spark-submit has started: its JVM runs before Python does, so jars and options are in files for it."""

from __future__ import annotations

from rowtime.jvm.jars import spark_class_path_setting, spark_jars_setting
from rowtime.jvm.py4j import is_submitted
from rowtime.runtime.cluster.settings import BASE, EXTENSIONS


def submitted_settings() -> dict[str, str]:
    """Returns the settings that spark-submit has got, by key; none if it has not started this process."""
    if not is_submitted():
        return {}
    from pyspark import SparkConf, SparkContext

    # Connects to the JVM, which has the settings.
    SparkContext._ensure_initialized()
    return dict(SparkConf().getAll())


def properties() -> dict[str, str]:
    """Returns the settings that a session needs for rowtime, by key: those of a file for `--properties-file`."""
    return {
        "spark.jars": spark_jars_setting(),
        "spark.driver.extraClassPath": spark_class_path_setting(),
        **BASE,
        **EXTENSIONS,
    }
