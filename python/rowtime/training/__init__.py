"""Builds class-data archives for the JVMs: `python -m rowtime.training`."""
