/**
 * Sources and targets in Java that users write, see {@link io.rowtime.api.Adapter}, as a source of Spark and for Python to call.
 * A bound is a row with nothing but the column {@code _bound}.
 */
package io.rowtime.adapter;
