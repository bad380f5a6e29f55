"""Streaming jobs, from start to end, whatever becomes of their rows."""
