/** The plan contract: writes plans and expressions as JSON, and reads expressions back. */
package io.rowtime.plan.json;
