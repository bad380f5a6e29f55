/** Derives times from the clock of a source, step by step, and the bound at which a value closes. */
package io.rowtime.plan.clock;
