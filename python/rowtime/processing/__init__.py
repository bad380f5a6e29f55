"""User-defined table functions in Python that process the rows of a table: their view of a partition, and the worker
that runs them alongside Spark's JVM."""
