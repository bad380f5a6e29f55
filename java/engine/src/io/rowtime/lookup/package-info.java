/**
 * Joins of a stream with relations: provides the rows of a relation for each micro-batch, and keeps them between
 * batches.
 */
package io.rowtime.lookup;
