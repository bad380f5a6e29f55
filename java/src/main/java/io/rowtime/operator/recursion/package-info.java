/** WITH RECURSIVE over relations: a query that runs again and again over the rows that it gave last. */
package io.rowtime.operator.recursion;
