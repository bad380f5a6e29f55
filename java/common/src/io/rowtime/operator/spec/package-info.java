/**
 * The parameters of rowtime's operators: one record for each, under {@link io.rowtime.operator.spec.OperatorSpec}. The
 * planner makes them, as JSON that Python passes on unread; the check of claims is Python's own.
 */
package io.rowtime.operator.spec;
