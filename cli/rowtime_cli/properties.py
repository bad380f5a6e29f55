"""`rowtime spark-conf`: what spark-submit has to know."""

from __future__ import annotations


def command() -> None:
    """Print the settings for `spark-submit --properties-file`, with which a script can call rowtime.connect()."""
    from rowtime.runtime.submitted import properties

    for key, value in properties().items():
        # A file of Java's properties.
        print(key, value.replace("\\", "\\\\"))
