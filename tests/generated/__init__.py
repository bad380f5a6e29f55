"""Queries generated from a grammar, each run by rowtime and by DuckDB; see `__main__.py`."""
