/** AST nodes of the statements that rowtime adds to SQL: their fields and how to unparse them, nothing else. */
package io.rowtime.sql;
