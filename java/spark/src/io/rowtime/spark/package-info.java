/**
 * Bridges to Spark's Catalyst: encoders of rows in Spark's binary format, expressions written in Java, and DataFrames
 * of logical plans. Compiled against Spark, which is on the class path at run time, and not bundled with it.
 */
package io.rowtime.spark;
