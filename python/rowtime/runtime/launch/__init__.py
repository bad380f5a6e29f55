"""Starts plans as Spark's streaming queries, and reports their progress."""
