/**
 * What the families of windowed operators share: their parameters ({@link io.rowtime.operator.spec.OperatorSpec}), and the
 * stages that their rows go through ({@link io.rowtime.operator.StagePipeline}, {@link io.rowtime.operator.Stage}).
 *
 * <p>The families are {@code over}, {@code group}, {@code join}, {@code hold} and {@code recursion}; each has a class of static
 * functions that Python calls. The aggregate functions are in {@code calls}.
 */
package io.rowtime.operator;
