/**
 * Shared parts of the windowed operators: their parameters ({@link io.rowtime.operator.spec.OperatorSpec}), and the
 * stages through which their rows pass ({@link io.rowtime.operator.StagePipeline}, {@link io.rowtime.operator.Stage}).
 *
 * <p>The operators are in {@code over}, {@code group}, {@code rank}, {@code join}, {@code filter}, {@code changelog}, {@code process}, {@code search},
 * {@code hold} and {@code recursion}. {@code io.rowtime.execution.Operators} runs them for Python; it calls those of the last three
 * directly. The aggregate functions are in {@code calls}.
 */
package io.rowtime.operator;
