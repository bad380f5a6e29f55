/**
 * The parameters of rowtime's operators: one record for each, under {@link io.rowtime.operator.spec.OperatorSpec}. The
 * JSON Schema of the records is {@code docs/operators.schema.json}; Python has a struct for each.
 */
package io.rowtime.operator.spec;
