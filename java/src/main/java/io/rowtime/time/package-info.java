/** Clocks of time zones. Needs neither Calcite nor Spark: planner and operators use it alike. */
package io.rowtime.time;
