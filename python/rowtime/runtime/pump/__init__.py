"""Pumps: their processes, positions, savepoints, resets and takeovers."""
