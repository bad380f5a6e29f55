/** What Spark's Kafka connector leaves to us: where a topic ends now, and writing a micro-batch exactly once. */
package io.rowtime.kafka;
