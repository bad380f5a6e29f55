"""From Python to the operators that run in Spark: one module an operator of `io.rowtime`, with what it needs."""
