/** The tables of functions and of connectors, which Python and Java both read. */
package io.rowtime.table;
