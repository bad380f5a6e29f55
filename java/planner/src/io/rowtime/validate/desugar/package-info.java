/**
 * Rewrites the syntax tree before validation: from constructs that standard SQL lacks to standard SQL. {@link
 * io.rowtime.validate.desugar.Desugaring} applies the rewrites in order.
 */
package io.rowtime.validate.desugar;
