/** The JDBC driver: {@code jdbc:rowtime://host:port}. It needs neither Spark nor any other jar. */
package io.rowtime.driver;
