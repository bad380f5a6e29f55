package io.rowtime.schema;

import java.nio.file.Path;
import java.util.Map;
import org.apache.calcite.model.ModelHandler;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaFactory;
import org.apache.calcite.schema.SchemaPlus;

/**
 * Creates the schema of a warehouse for a Calcite model:
 * <pre>{"name": "WH", "type": "custom", "factory": "io.rowtime.schema.WarehouseSchemaFactory",
 * "operand": {"warehouse": ".rowtime"}}</pre>
 *
 * <p>A relative {@code warehouse} is relative to the folder of the model file.
 */
public final class WarehouseSchemaFactory implements SchemaFactory {
  private static final String WAREHOUSE = "warehouse";

  /** Called by Calcite, which instantiates the class that a model names. */
  public WarehouseSchemaFactory() {}

  /**
   * Creates the schema of one warehouse.
   *
   * @param operand {@code warehouse}: the folder of the warehouse
   * @throws WarehouseException RT0601 … RT0603 if the warehouse cannot be read
   */
  @Override public Schema create(SchemaPlus parent, String name, Map<String, Object> operand) {
    if (!(operand.get(WAREHOUSE) instanceof String folder)) {
      throw new WarehouseException("RT0601", "The schema '" + name + "' has no warehouse",
          "Name its folder in the model: \"operand\": {\"warehouse\": \"…\"}", null);
    }
    Path base = Path.of(String.valueOf(operand.getOrDefault(ModelHandler.ExtraOperand.BASE_DIRECTORY.camelName, "")));
    return new WarehouseSchema(parent, name, base.resolve(folder).toAbsolutePath().normalize());
  }
}
