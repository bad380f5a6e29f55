/** Reads and writes plans in Calcite's own formats, for other programs that use Calcite. */
package io.rowtime.plan.exchange;
