"""Reads and writes rows: scans of streams and tables, foreign files and systems, and connectors."""
