/** WITH RECURSIVE over relations: a query that runs repeatedly over the rows of its previous step. */
package io.rowtime.operator.recursion;
