/**
 * Database tables: finds their columns, and adds rows to them, or replaces and deletes rows by key, in one transaction.
 * Spark reads them.
 */
package io.rowtime.jdbc;
