/** Functions of SQL that Spark does not have, or not as standard SQL means them: for Spark's expressions to call. */
package io.rowtime.functions;
