/** The plan contract: plans and expressions written as JSON, and expressions read back. */
package io.rowtime.plan.json;
