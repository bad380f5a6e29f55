/**
 * Table functions and adapters in Java. Implement {@link io.rowtime.api.ProcessTableFunction} for {@code CREATE FUNCTION …
 * RETURNS TABLE … LANGUAGE JAVA}, {@link io.rowtime.api.SourceAdapter} or {@link io.rowtime.api.TargetAdapter} for {@code CREATE
 * FOREIGN STREAM … OPTIONS (connector 'java', …)}, and add the jar to {@code spark.jars}.
 */
package io.rowtime.api;
