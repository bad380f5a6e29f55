package io.rowtime.parse;

import java.util.List;
import java.util.Optional;

/** Statements of other SQL dialects that this language lacks or writes in another way: what to write instead. */
final class OtherStatements {
  private static final String NO_ROLES = "There are no roles: the permissions of the warehouse's folder say who can read and write it";

  private static final String MERGE = "MERGE INTO updates existing rows and inserts the others";

  private static final String NO_SCHEMAS = "A warehouse has no schemas: leave the statement out; --warehouse chooses another warehouse";

  private static final String ALWAYS_NEW = "Leave it out: tables and views always have the newest rows";

  private static final String FROM = "A query begins with SELECT: SELECT STREAM * FROM …";

  private static final String OPTIONS = "Set the properties of a stream or table in its OPTIONS; !set is a command of the shell";

  private static final String NO_PROCEDURES = "There are no procedures and no variables: a script is a sequence of statements, and Python calls them";

  private static final String NO_TEMPORARY = "Leave it out: every object is in the warehouse until it is dropped; a query can have WITH name AS (SELECT …)";

  private static final String SOURCE = "Write CREATE FOREIGN STREAM name (columns) OPTIONS (connector 'kafka', …)";

  private static final String SINK = "Create what is written as a foreign stream or table, and a pump: CREATE PUMP p STARTED AS INSERT INTO name SELECT STREAM …";

  private static final String NO_INDEX = "Leave it out: there are no indexes";

  private static final String NO_DEFINITION = "SHOW STREAMS LIKE 'NAME' or SHOW TABLES LIKE 'NAME' has the statement in its column DEFINITION";

  private static final String PUMPS = "What runs in the background is a pump: write SHOW PUMPS";

  private static final String STOP = "What runs in the background is a pump: write ALTER PUMP name STOP";

  private static final String VIEW = "Write CREATE MATERIALIZED VIEW name AS SELECT …, which always has the newest result";

  private static final String EACH_PUMP = "Write a CREATE PUMP for each INSERT: a pump runs until it is stopped, and pumps share what they read";

  private static final String FUNCTION = "Write CREATE FUNCTION f (a INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'module:function', or JAVA AS 'Class:method'; "
      + "or compute the expression in a view";

  /** Statements whose first word begins none here. */
  private static final List<Construct> BEGINNINGS = List.of(
      new Construct("»TRUNCATE", "DELETE FROM removes all rows of a table"),
      new Construct("»REPLACE|UPSERT", MERGE),
      new Construct("»DESC", "Write DESCRIBE"),
      new Construct("»USE", NO_SCHEMAS),
      new Construct("»SET|RESET", OPTIONS),
      new Construct("»COPY|LOAD|UNLOAD|EXPORT", "CREATE FOREIGN TABLE over the files, and INSERT INTO … SELECT from it or into it"),
      new Construct("»BEGIN|EXECUTE STATEMENT SET", EACH_PUMP),
      new Construct("»BEGIN|START", "Each statement is a transaction of its own"),
      new Construct("»FROM|FORM", FROM),
      new Construct("»GRANT|REVOKE", NO_ROLES),
      new Construct("»REFRESH|CACHE|UNCACHE|MSCK|REPAIR", ALWAYS_NEW),
      new Construct("»VACUUM|OPTIMIZE", "Leave it out: what the option history no longer keeps goes by itself"),
      new Construct("»ANALYZE", "Leave it out: the planner needs no statistics"),
      new Construct("»LIST STREAMS|TABLES|FUNCTIONS", "Write SHOW"),
      new Construct("»LIST QUERIES", PUMPS),
      new Construct("»PRINT|SUBSCRIBE|FETCH", "SELECT STREAM * FROM name shows the rows of a stream as they come"),
      new Construct("»STOP|TERMINATE|CANCEL|PAUSE|KILL", STOP),
      new Construct("»ADD JAR|JARS|FILE", "Name the jar in spark.jars, and the class in CREATE FUNCTION … LANGUAGE JAVA AS 'Class:method'"),
      new Construct("»COMMENT ON", "Write it as a comment of the script: -- …"),
      new Construct("»CALL|DO|DECLARE|EXECUTE|PREPARE|DEFINE", NO_PROCEDURES));

  /** Words within statements that exist here, or nearly. */
  private static final List<Construct> WITHIN = List.of(
      new Construct("»TEMPORARY", NO_TEMPORARY),
      new Construct("»TEMP VIEW|TABLE|FUNCTION", NO_TEMPORARY),
      new Construct("CREATE »EXTERNAL", "Write CREATE FOREIGN TABLE … OPTIONS (connector 'files', path '…', format '…')"),
      new Construct("CREATE »SOURCE", SOURCE),
      new Construct("CREATE »SINK", SINK),
      new Construct("CREATE »CONNECTION|SECRET|CONNECTOR", "Name the servers in the OPTIONS of CREATE FOREIGN STREAM, and a secret by password_env or password_file"),
      new Construct("CREATE »INDEX", NO_INDEX),
      new Construct("CREATE »UNIQUE INDEX", NO_INDEX),
      new Construct("CREATE|DROP|ALTER »DATABASE|SCHEMA|CATALOG", NO_SCHEMAS),
      new Construct("CREATE »CLUSTER|WAREHOUSE", "Leave it out: pumps run in the process that runs them, rowtime pump run"),
      new Construct("CREATE »DYNAMIC|STREAMING|LIVE", VIEW),
      new Construct("MATERIALIZED »TABLE", VIEW),
      new Construct("CREATE »TASK|JOB", "Write CREATE PUMP name STARTED AS INSERT INTO … SELECT STREAM …, which runs all the time"),
      new Construct("CREATE »PROCEDURE", NO_PROCEDURES),
      new Construct("CREATE »TRIGGER", "Write a pump that reads the stream, or the changes of the table by TO_CHANGELOG"),
      new Construct("CREATE »SEQUENCE", "Rows are not numbered; ROW_NUMBER() OVER (…) numbers those of a query"),
      new Construct("CREATE »TYPE", "Write the type at the column: ROW(a INTEGER, b VARCHAR)"),
      new Construct("CREATE »USER|ROLE", NO_ROLES),
      new Construct("CREATE »UNLOGGED|TRANSIENT|MANAGED", "Leave it out"),
      new Construct("CREATE FUNCTION … »AS|RETURN", FUNCTION),
      new Construct("SHOW »CREATE", NO_DEFINITION),
      new Construct("SHOW »TBLPROPERTIES", NO_DEFINITION),
      new Construct("SHOW »COLUMNS", "Write DESCRIBE name"),
      new Construct("SHOW »DATABASES|SCHEMAS|CATALOGS", "A warehouse has no schemas: SHOW lists all its objects"),
      new Construct("SHOW »TOPICS|SOURCES|SINKS|CONNECTORS", "Write SHOW FOREIGN STREAMS"),
      new Construct("SHOW »JOBS|QUERIES|TASKS", PUMPS),
      new Construct("SHOW »PARTITIONS", "Rows of the warehouse have no partitions that one could choose"),
      new Construct("TABLES »IN|FROM", "Leave it out: a warehouse has no schemas"),
      new Construct("DESCRIBE «EXTENDED|FORMATTED|DETAIL »", "Leave it out: DESCRIBE name shows columns, and SHOW the options"),
      new Construct("EXPLAIN »ANALYZE|EXTENDED|FORMATTED|CODEGEN|COST|VERBOSE|ESTIMATED_COST|CHANGELOG_MODE|JSON_EXECUTION_PLAN",
          "Leave it out: EXPLAIN query shows the plan, with the state of each operator"),
      new Construct("EXPLAIN ( »", "Leave the parentheses out: EXPLAIN query shows the plan, with the state of each operator"),
      new Construct("»RENAME COLUMN", "A column keeps its name: a view can give it another one; CREATE TABLE … AS SELECT copies the rows"),
      new Construct("»RENAME TO", "An object keeps its name: a view can give it another one; CREATE TABLE … AS SELECT copies the rows"),
      new Construct("ALTER … »MODIFY|CHANGE", "Write ALTER COLUMN name TYPE type"),
      new Construct("ALTER … ADD «COLUMNS »(", "Write a statement for each column: ADD COLUMN name type"),
      new Construct("ALTER … «IF »NOT EXISTS", "Leave it out; DESCRIBE shows the columns"),
      new Construct("ALTER … ADD »CONSTRAINT|PRIMARY", "Create another table that has it, and insert the rows there"),
      new Construct("ALTER … SET »NOT", "Create another table that has it, and insert the rows there"),
      new Construct("ALTER … »PARTITION", "Rows of the warehouse have no partitions; DELETE FROM … WHERE removes rows"),
      new Construct("ALTER … »SET TBLPROPERTIES|(", "Write SET OPTIONS (name 'value')"),
      new Construct("ALTER … »FIRST|AFTER", "Leave it out: a new column is the last one"),
      new Construct("ALTER »VIEW", "Write CREATE OR REPLACE VIEW"),
      new Construct("DROP … »,", "Write a DROP for each object"),
      new Construct("INSERT »OVERWRITE", "DELETE FROM removes the rows of a table; then write INSERT INTO"),
      new Construct("INTO »TABLE", "Leave TABLE out: INSERT INTO name"),
      new Construct("»ON CONFLICT|DUPLICATE", MERGE),
      new Construct("»RETURNING", "Leave it out, and SELECT the rows before or afterwards"),
      new Construct("INSERT … »PARTITION (", "Leave it out, and insert the values as columns"),
      new Construct("UPDATE SET »*", "Name each column: UPDATE SET a = s.a, b = s.b"),
      new Construct("THEN INSERT »*", "Name each column: INSERT (a, b) VALUES (s.a, s.b)"));

  private OtherStatements() {}

  /** Returns a hint for a statement whose first word begins none here. */
  static Optional<Construct.Found> beginning(Tokens tokens) {
    return Construct.first(BEGINNINGS, tokens, 0);
  }

  /** Returns a hint for the token at {@code index}, at which the parser stopped. */
  static Optional<Construct.Found> within(Tokens tokens, int index) {
    return Construct.first(WITHIN, tokens, index);
  }
}
