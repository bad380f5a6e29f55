"""Delta tables of the warehouse, which rowtime writes without Spark.

`log` writes the commits of a table, `commits` are their files, `head` is the last version, `checksum` lets Spark open a
version quickly. `schema` describes the columns, `deletion_vectors` the rows that are no longer in a data file, and
`files` the data files of a version. `state` is the state of a stream in the metadata of its commits, `batches` are the
micro-batches there. `snapshot` reads a version as a DataFrame.
"""
