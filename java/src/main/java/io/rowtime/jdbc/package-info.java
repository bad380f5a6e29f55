/** Database tables: finds their columns, and writes rows to them in one transaction. Spark reads them. */
package io.rowtime.jdbc;
