"""Observability of a running rowtime: Prometheus metrics (`server`, `collector`) and OpenTelemetry `spans`.

Both need `pip install 'rowtime[metrics]'`. They cost nothing if it is not installed, or if nobody enables them.
"""
