/**
 * User-defined table functions in Java. Implement {@link io.rowtime.api.ProcessTableFunction}, add the jar to {@code spark.jars},
 * and create the function with {@code CREATE FUNCTION … RETURNS TABLE … LANGUAGE JAVA}.
 */
package io.rowtime.api;
