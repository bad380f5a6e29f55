/** Values as operators keep them: columns, chunks of rows, numbers for partition values; and all of that as bytes. */
package io.rowtime.state.values;
