"""Lets PySpark find the data source `rowtime`: it looks for packages of this kind of name, and for this class."""

from rowtime.datasource import WarehouseSource as DefaultSource

__all__ = ["DefaultSource"]
