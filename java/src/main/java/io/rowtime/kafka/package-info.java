/**
 * Functions that Spark's Kafka connector lacks: finding the current end of a topic, and writing a micro-batch exactly
 * once.
 */
package io.rowtime.kafka;
