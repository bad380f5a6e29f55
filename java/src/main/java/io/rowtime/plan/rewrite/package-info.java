/** Rewrites of the plan, each a class; {@link io.rowtime.plan.rewrite.PlanRewrites} is their order. */
package io.rowtime.plan.rewrite;
