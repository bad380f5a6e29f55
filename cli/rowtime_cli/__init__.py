"""The `rowtime` command line: one file per command."""
