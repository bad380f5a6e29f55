/**
 * The server for JDBC clients, inside Spark's JVM: Avatica's protocol over HTTP. It knows connections, statements and values;
 * what a statement means and does is asked of a {@link io.rowtime.serve.Backend}.
 */
package io.rowtime.serve;
