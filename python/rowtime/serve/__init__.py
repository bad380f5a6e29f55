"""The server for JDBC clients: what it runs, and in which form values travel. The server itself is in Java
(`io.rowtime.serve`)."""
