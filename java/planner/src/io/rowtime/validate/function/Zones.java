package io.rowtime.validate.function;

import io.rowtime.time.LocalClock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.calcite.adapter.enumerable.CallImplementor;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.ImplementableFunction;
import org.apache.calcite.schema.ScalarFunction;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Converts times between UTC and time zones. Calcite's generated code calls it, with a TIMESTAMP as milliseconds and a
 * zone such as Europe/Berlin.
 */
@Strict
public final class Zones {
  private Zones() {}

  /**
   * Describes one of these functions to Calcite. The class that computes it is loaded on request: loading it with the
   * operators would change which overload of BITXOR Calcite finds first.
   */
  record Call(String method) implements ScalarFunction, ImplementableFunction {
    @Override public CallImplementor getImplementor() {
      return ((ImplementableFunction) ScalarFunctionImpl.create(Zones.class, method)).getImplementor();
    }

    @Override public RelDataType getReturnType(RelDataTypeFactory types) {
      return types.createSqlType(SqlTypeName.TIMESTAMP, 3);
    }

    @Override public List<FunctionParameter> getParameters() {
      return List.of();
    }
  }

  /** Returns the local time of the zone at a time in UTC. */
  public static long fromUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), LocalClock.zone(zone)).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /**
   * Returns the time in UTC at which the local time of the zone is {@code millis}: the first one if there are two; if
   * there is none, as if the clocks had not been changed.
   */
  public static long toUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC).atZone(LocalClock.zone(zone)).toInstant().toEpochMilli();
  }
}
