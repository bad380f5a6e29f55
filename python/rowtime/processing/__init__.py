"""Table functions of the user's own in Python that process the rows of a table: what they see of a partition, and the
worker that runs them beside Spark's JVM."""
