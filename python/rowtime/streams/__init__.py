"""Named streams: an append-only log each, what may enter it, and how it is read.

`judge` says which rows may enter, `log` appends them with their bound, `reader` makes Spark DataFrames of a log,
`producer` is the door for Python code. `columns` and `values` say how SQL values lie in the log.
"""
