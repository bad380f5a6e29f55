/**
 * SEARCH_KEY: rows of a table that another system looks up by key. {@link io.rowtime.operator.search.SearchKeyOperator} puts it into a
 * plan; in a task, {@link io.rowtime.operator.search.SearchedRows} takes rows in order of their keys, and
 * {@link io.rowtime.operator.search.KeySearch} asks for these in batches. It has no state.
 */
package io.rowtime.operator.search;
