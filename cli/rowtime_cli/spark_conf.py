"""Settings of Spark: `--master` and `--conf`, and `rowtime spark-conf` for scripts that spark-submit starts."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime_cli.faults import WrongCommandLine


def spark_conf(master: str | None, settings: Sequence[str] | None) -> dict[str, str]:
    """Returns the settings by key; `--master` wins over `--conf spark.master=…`. Raises WrongCommandLine RT0660 for a
    `--conf` that is not `spark.…=value`."""
    found: dict[str, str] = {}
    for text in settings or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip().startswith("spark."):
            from rowtime.errors import Diagnostic

            message = f"--conf takes a setting of Spark and its value, not '{text}'"
            hint = "--conf spark.executor.memory=2g; settings of Hadoop are named spark.hadoop.…"
            raise WrongCommandLine(Diagnostic(code="RT0660", message=message, hint=hint))
        found[key.strip()] = value.strip()
    if master is not None:
        found["spark.master"] = master
    return found


def command() -> None:
    """Print the settings for `spark-submit --properties-file`, with which a script can call rowtime.connect()."""
    from rowtime.runtime.cluster.submitted import properties

    for key, value in properties().items():
        # A file of Java's properties.
        print(key, value.replace("\\", "\\\\"))
