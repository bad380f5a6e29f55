/** Joins of a stream with relations: the rows that a relation has in each micro-batch, and how they are kept between batches. */
package io.rowtime.lookup;
