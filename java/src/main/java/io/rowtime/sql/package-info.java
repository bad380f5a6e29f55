/** AST nodes of the statements that rowtime adds to SQL: fields and unparse, nothing else. */
package io.rowtime.sql;
