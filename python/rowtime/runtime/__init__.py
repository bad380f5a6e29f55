"""Runs queries and pumps: their sinks, settings, and progress."""
