-- What UPDATE, DELETE, MERGE and CREATE TABLE … AS refuse; nothing is changed then.
-- date 2024-05-01

CREATE TABLE stock (id INTEGER NOT NULL, units INTEGER);
CREATE TABLE twice (id INTEGER, units INTEGER);
CREATE STREAM orders (id INTEGER);
CREATE VIEW part AS SELECT id FROM stock;
CREATE TABLE readings (taken TIMESTAMP(3) MONOTONIC, level INTEGER);
INSERT INTO stock VALUES (1, 10), (2, 20);
INSERT INTO twice VALUES (1, 5), (1, 6);

UPDATE stock SET unit = 1;
--! 12:18 RT0112 Column 'UNIT' not found in 'STOCK'
UPDATE stock SET units = 1, units = 2;
--! 14:29 RT0305 Column 'UNITS' is named twice
UPDATE stock SET units = DATE '2024-05-01';
--! 16:26 RT0324 Column 'UNITS' is INTEGER and cannot take a value of type DATE
UPDATE stock SET units = unknown_one;
--! 18:26 RT0112 Column 'UNKNOWN_ONE' not found in any table
UPDATE stock SET id = NULL WHERE units > 10;
--! 20:1 RT0502 A row does not fit table 'STOCK': ID: NULL in a column that is NOT NULL
UPDATE stock SET units = units / (id - 2);
--! 22:1 RT0510 The query failed: Division by zero (DIVIDE_BY_ZERO)
DELETE FROM orders;
--! 24:1 RT0331 DELETE is not supported on streams
DELETE FROM part WHERE id = 1;
--! 26:13 RT0331 DELETE is not supported on VIEW 'PART'
UPDATE readings SET level = 1;
--! 28:8 RT0331 UPDATE is not supported on table 'READINGS': it can be read as a stream, and a stream is append-only
DELETE FROM missing;
--! 30:13 RT0111 Table 'MISSING' not found
MERGE INTO stock USING twice ON stock.id = twice.id WHEN MATCHED THEN UPDATE SET units = twice.units;
--! 32:1 RT0506 MERGE would update a row of 'STOCK' more than once: more than one row of the source matches it
MERGE INTO stock USING twice ON stock.id = twice.id WHEN NOT MATCHED THEN INSERT (units) VALUES (1);
--! 34:75 RT0323 Column 'ID' has no default value and does not allow NULLs
MERGE INTO stock USING twice ON stock.id = twice.id WHEN NOT MATCHED THEN INSERT (id, units) VALUES (1);
--! 36:94 RT0322 2 columns are listed, but the row has 1 values
CREATE TABLE copies AS SELECT STREAM id FROM orders;
--! 38:24 RT0326 CREATE TABLE … AS copies the existing rows, but a SELECT STREAM never ends
CREATE TABLE copies (a INTEGER) AS SELECT id, units FROM stock;
--! 40:36 RT0322 1 columns are declared, but the query has 2
CREATE TABLE copies AS SELECT id, NULL AS nothing FROM stock;
--! 42:24 RT0306 Column 'NOTHING' of the query is NULL and has no type
CREATE TABLE copies (a INTEGER NOT NULL) AS SELECT 10 / (id - 1) FROM stock;
--! 44:1 RT0510 The query failed: Division by zero (DIVIDE_BY_ZERO)
SHOW TABLES LIKE 'COPIES';
SELECT * FROM stock ORDER BY id;
--> 1 | 1 | 10
--> 1 | 2 | 20
