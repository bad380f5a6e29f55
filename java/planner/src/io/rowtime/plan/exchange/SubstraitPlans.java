package io.rowtime.plan.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.rowtime.plan.progress.PlannedQuery;
import io.substrait.isthmus.ConverterProvider;
import io.substrait.isthmus.SubstraitRelVisitor;
import io.substrait.plan.Plan;
import io.substrait.plan.PlanProtoConverter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlKind;

/**
 * Converts relational queries to Substrait plans with Substrait's own library for Calcite. The library's classes are
 * loaded when the first plan is requested.
 */
public final class SubstraitPlans {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** The library's message about an operator or a call that it does not support. */
  private static final Pattern UNKNOWN =
      Pattern.compile("Unable to (?:handle node: rel#\\d+:|convert call )(\\w+|.+?\\))[.].*");

  private SubstraitPlans() {}

  /**
   * Returns the plan in the JSON form of Substrait's protocol buffers.
   *
   * @throws InexpressibleException if Substrait has no streams, or no operator, function or type that the query uses
   */
  public static JsonNode json(PlannedQuery planned) {
    if (planned.streaming()) {
      throw new InexpressibleException("Substrait has no streaming queries");
    }
    try {
      Plan.Root root = SubstraitRelVisitor.convert(RelRoot.of(planned.converted(), SqlKind.SELECT), new ConverterProvider());
      return JSON.readTree(JsonFormat.printer().print(new PlanProtoConverter().toProto(Plan.builder().addRoots(root).build())));
    } catch (RuntimeException | AssertionError e) {
      // The library reports unsupported constructs with exceptions of many classes, each with its own message.
      throw new InexpressibleException(reason(e));
    } catch (InvalidProtocolBufferException | JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String reason(Throwable fault) {
    String message = String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
    Matcher unknown = UNKNOWN.matcher(message);
    return "Substrait cannot express " + (unknown.matches() ? unknown.group(1) : "the query: " + message);
  }

  /** Thrown if Substrait cannot express a query; the message gives the reason. */
  public static final class InexpressibleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InexpressibleException(String reason) {
      super(reason);
    }
  }
}
