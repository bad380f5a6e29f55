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

/** Times of time zones. Calcite's code calls it with a TIMESTAMP as milliseconds and a zone such as Europe/Berlin. */
@Strict
public final class Zones {
  private Zones() {}

  /**
   * One of these as Calcite knows functions. What computes it is loaded when it is asked for: loaded with the operators, it changes
   * which of the overloads of BITXOR Calcite finds first.
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

  /** What clocks of the zone show at a time in UTC. */
  public static long fromUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), LocalClock.zone(zone)).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** The time in UTC at which clocks of the zone show a time: the first, where they do twice; where never, as if they had gone on. */
  public static long toUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC).atZone(LocalClock.zone(zone)).toInstant().toEpochMilli();
  }
}
