/** One class for each kind of statement: checks it, and writes what it changes, reads or shows. */
package io.rowtime.statement;
