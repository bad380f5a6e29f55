"""The `rowtime` command line: one file a command."""
