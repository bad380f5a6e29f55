"""Queries made by a grammar, each asked of rowtime and of DuckDB; see `__main__.py`."""
