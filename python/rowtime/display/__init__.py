"""Rows as people see them: text tables, JSON lines, CSV, and HTML for notebooks."""
