/**
 * Shared parts of the windowed operators: their parameters ({@link io.rowtime.operator.spec.OperatorSpec}), and the
 * stages through which their rows pass ({@link io.rowtime.operator.StagePipeline}, {@link io.rowtime.operator.Stage}).
 *
 * <p>The operators are in {@code over}, {@code group}, {@code join}, {@code hold} and {@code recursion}; each package
 * has a class of static functions that Python calls. The aggregate functions are in {@code calls}.
 */
package io.rowtime.operator;
