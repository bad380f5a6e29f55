"""Named streams, and tables whose columns have an order: each has a log.

Writing: `writes` defines a step (`WriteRequest`) and its outcome. `apply_step` applies a step to a `working_state`, in
four stages: `arrival` (LATENESS of ROWTIME), `watermark_buffer` (WATERMARK), `merge` (of the producers), and
`row_admission` with `late_filter` (LATENESS and MONOTONIC of other columns). `rules` are the options of the catalog
object, `orders` the order of a column, `pending` the rows that have not entered yet. None of these touches a file.

Storage: `committer` makes commits, and `rowtime.delta` writes them. `sidefiles` store the rows that have not entered,
`leases` record which versions readers need, `retention` removes the others. `log` is the interface to all of it.
`producer` is the interface for Python code, `reader` makes Spark DataFrames of a log, `trace` forwards rejected rows,
and `maintenance` does the work that no commit does.
"""
