/** The catalog that the planner uses: a snapshot that Python sends with each request. */
package io.rowtime.catalog;
