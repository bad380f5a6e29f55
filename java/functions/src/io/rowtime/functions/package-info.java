/** SQL functions that Spark lacks, or that differ from standard SQL in Spark, for Spark's expressions to call. */
package io.rowtime.functions;
