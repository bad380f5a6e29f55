/**
 * SEARCH_KEY: rows of a table that another system looks up by key. {@link io.rowtime.operator.search.SearchKeyOperator}
 * adds it to a plan; in a task, {@link io.rowtime.operator.search.SearchedRows} reads rows in order of their keys, and
 * {@link io.rowtime.operator.search.KeySearch} looks these up in batches. It has no state.
 */
package io.rowtime.operator.search;
