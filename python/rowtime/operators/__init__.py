"""Calls the operators in Java that run in Spark: one module per operator of `io.rowtime`."""
