"""Formats rows for people: text tables, JSON lines, CSV, and HTML for notebooks."""
