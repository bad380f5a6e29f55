"""Checkpoints of streaming queries: offsets, state schemas, and savepoints."""
