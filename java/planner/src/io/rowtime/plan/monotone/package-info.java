/**
 * Derives how each column follows from the clock of the sources, with one class for each relational operator ({@link
 * io.rowtime.plan.monotone.RelOrder}), and {@link io.rowtime.plan.monotone.RexOrder} for expressions.
 */
package io.rowtime.plan.monotone;
