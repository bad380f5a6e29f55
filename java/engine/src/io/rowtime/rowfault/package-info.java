/**
 * Says for which row of a streaming query an expression has no value, as in a division by zero, or sets such rows aside.
 *
 * <p>A row without a fault costs nothing but a try block in the code that Spark generates. Compiled against Spark, which
 * is on the class path at run time, and not bundled with it.
 */
package io.rowtime.rowfault;
