/** Constant expressions, and which of them the planner may compute. */
package io.rowtime.plan.constant;
