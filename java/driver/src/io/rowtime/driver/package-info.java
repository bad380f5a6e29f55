/** The JDBC driver: {@code jdbc:rowtime://host:port}. It needs no Spark, and nothing but its jar. */
package io.rowtime.driver;
