"""Named streams, and tables whose columns have an order: a log each, what may enter it, and how it is read.

How rows come in: `steps` says what a step is, `judge` what it does to a `draft` of the log's `state`, room by room:
`arrival` (lateness of ROWTIME), `release` (WATERMARK), `merge` (of the producers), `entrance` with `entry` (LATENESS
and MONOTONIC of other columns). `rules` are what a catalog object asks for, `orders` the order of a column, `rooms` the
rows that have not entered yet. None of these touches a file.

What lies where: `committer` makes commits, `deltalog` writes them, `checksum` lets Spark open them quickly, `sidefiles`
keep the rows that have not entered, `leases` say what readers need, `retention` cleans up. `log` is the door to all of
it. `producer` is the door for Python code, `reader` makes Spark DataFrames of a log, `trace` makes late rows known, and
`keeper` does what no commit does. `columns`, `values` and `times` say how SQL values lie in a log.
"""
