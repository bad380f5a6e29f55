/**
 * Bridges into Spark's Catalyst: encoders of rows in Spark's binary form, expressions that are written in Java, and
 * DataFrames of logical plans. Compiled against Spark, which is on the class path where they run, and not bundled with it.
 */
package io.rowtime.spark;
