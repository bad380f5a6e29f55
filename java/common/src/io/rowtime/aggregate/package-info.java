/** The aggregate and analytic functions, in one table that the planner, the operators and Python read. */
package io.rowtime.aggregate;
