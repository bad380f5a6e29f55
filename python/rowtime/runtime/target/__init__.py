"""Where the rows of an INSERT or a pump go: streams, tables, and foreign targets."""
