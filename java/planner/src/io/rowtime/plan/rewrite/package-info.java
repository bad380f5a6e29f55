/** Rewrites of the plan, one class each; {@link io.rowtime.plan.rewrite.PlanRewrites} applies them in order. */
package io.rowtime.plan.rewrite;
