"""Streaming queries of a session."""
