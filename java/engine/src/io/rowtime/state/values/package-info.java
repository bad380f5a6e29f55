/**
 * The data structures of operators: columns, chunks of rows, numbers for partition values; and their encoding as bytes.
 */
package io.rowtime.state.values;
