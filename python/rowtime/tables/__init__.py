"""Plain tables of the warehouse: their rows, versions, changes by key, and compaction."""
