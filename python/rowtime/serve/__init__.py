"""The server for JDBC clients: the Python part, which runs statements and converts values. The server itself is in Java
(`io.rowtime.serve`)."""
