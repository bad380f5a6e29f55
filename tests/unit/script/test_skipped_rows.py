"""What `rowtime run` says at its end of rows that a query has left out. The tutorial shows it through the command."""

from __future__ import annotations

from pathlib import Path

from rowtime.errors import headline
from rowtime.runtime.launch.progress import Progress
from rowtime.script.skipped_rows import warnings


def test_nothing_left_out() -> None:
    assert warnings("Query 1", Progress(late={"S": 3})) == []


def test_bad_records_and_late_rows() -> None:
    aside = (Path("/w/bad_rows/a/q"),)
    bad, late = warnings("Query 1", Progress(bad_rows=1, late_rows=1200, aside=aside))
    assert headline(bad) == "warning RT0531: Query 1 has set aside 1 invalid record"
    assert bad.hint == "They are in /w/bad_rows/a/q, with the reasons"
    assert headline(late) == "warning RT0532: Query 1 has dropped 1,200 late rows"
    assert late.hint is not None
    assert late.hint.endswith("the late rows are in /w/bad_rows/a/q/late")


def test_rows_whose_values_could_not_be_computed() -> None:
    (both,) = warnings("Query 1", Progress(bad_rows=3, failed_rows=2))
    assert headline(both) == (
        "warning RT0531: Query 1 has set aside 1 invalid record and 2 rows whose values could not be computed"
    )
    (failed,) = warnings("Query 1", Progress(bad_rows=1, failed_rows=1))
    assert headline(failed) == "warning RT0531: Query 1 has set aside 1 row whose values could not be computed"


def test_rows_that_are_kept_nowhere() -> None:
    (late,) = warnings("INSERT", Progress(late_rows=2))
    assert late.hint == "A LATENESS on ROWTIME allows rows out of order"
