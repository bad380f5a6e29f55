/**
 * Functions that Spark's Kafka connector lacks: finding the current end of a topic, reading it up to some offsets, and
 * writing a micro-batch exactly once.
 */
package io.rowtime.kafka;
