"""Spark: its sessions and settings, and what its executors share with the driver."""
