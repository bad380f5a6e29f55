/** The catalog as the planner sees it: a snapshot that Python sends with each request. */
package io.rowtime.catalog;
