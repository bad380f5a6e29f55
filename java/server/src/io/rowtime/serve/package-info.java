/**
 * The server for JDBC clients, inside Spark's JVM: Avatica's protocol over HTTP. It manages connections, statements and
 * values; a {@link io.rowtime.serve.Backend} plans and runs the statements.
 */
package io.rowtime.serve;
