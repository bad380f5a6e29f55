/** Runs the operators that the planner has chosen, by the records that it has made. */
package io.rowtime.execution;
