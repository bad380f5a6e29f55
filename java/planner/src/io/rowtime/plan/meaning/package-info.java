/**
 * What a plan means, in a normal form: the names and signatures of everything that outlives the plan.
 */
package io.rowtime.plan.meaning;
