"""What observers see of a running rowtime: Prometheus metrics (`server`, `collector`) and OpenTelemetry `spans`.

Both need `pip install 'rowtime[metrics]'`; without it, and where nobody has asked for them, they cost nothing.
"""
