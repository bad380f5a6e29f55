/** Constant expressions, and the rules by which the planner may compute them. */
package io.rowtime.plan.constant;
