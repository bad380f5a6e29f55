-- CREATE TABLE … AS, UPDATE, DELETE and MERGE of plain tables. By hand, from the rules of standard SQL.
-- date 2024-05-01

CREATE TABLE stock (id INTEGER NOT NULL, name VARCHAR(10) DEFAULT 'unknown', units DECIMAL(6, 1), since TIMESTAMP(3));
INSERT INTO stock VALUES
  (1, 'tea', 10, TIMESTAMP '2024-05-01 08:00:00'), (2, 'coffee', 20, TIMESTAMP '2024-05-01 09:00:00'),
  (3, NULL, 30, NULL), (4, 'milk', NULL, NULL);

-- Where the condition is unknown, nothing happens to a row.
UPDATE stock SET units = units + 1.25, name = UPPER(name) WHERE units < 30;
SELECT * FROM stock ORDER BY id;
--> 1 | 1 | TEA | 11.3 | 08:00:00
--> 1 | 2 | COFFEE | 21.3 | 09:00:00
--> 1 | 3 | | 30.0 |
--> 1 | 4 | milk | |

-- Both see the row as it was; a value becomes one of the column's type, NULL and DEFAULT too.
UPDATE stock AS s SET units = s.id, id = CAST(s.units AS INTEGER) WHERE s.id = 3;
UPDATE stock SET name = DEFAULT, since = NULL WHERE name IS NULL OR since < TIMESTAMP '2024-05-01 08:30:00';
SELECT * FROM stock ORDER BY id;
--> 2 | 1 | unknown | 11.3 |
--> 2 | 2 | COFFEE | 21.3 | 09:00:00
--> 2 | 4 | milk | |
--> 2 | 30 | unknown | 3.0 |

-- Sub-queries, of the table itself and of others.
CREATE TABLE prices (id INTEGER, price DECIMAL(6, 1));
INSERT INTO prices VALUES (1, 1.5), (2, 2.5), (30, 9);
UPDATE stock SET units = (SELECT p.price FROM prices AS p WHERE p.id = stock.id) WHERE id IN (SELECT id FROM prices WHERE price < 5);
DELETE FROM stock WHERE id > (SELECT AVG(id) FROM stock) OR NOT EXISTS (SELECT 1 FROM prices AS p WHERE p.id = stock.id);
SELECT * FROM stock ORDER BY id;
--> 3 | 1 | unknown | 1.5 |
--> 3 | 2 | COFFEE | 2.5 | 09:00:00

-- A row without a price gets none; the others are in the table already.
CREATE TABLE arrivals (id INTEGER, units DECIMAL(6, 1));
INSERT INTO arrivals VALUES (2, 100), (5, 50), (NULL, 1);
MERGE INTO stock AS s USING arrivals AS a ON s.id = a.id
WHEN MATCHED THEN UPDATE SET units = s.units + a.units
WHEN NOT MATCHED THEN INSERT (id, units) VALUES (COALESCE(a.id, 0), a.units);
SELECT * FROM stock ORDER BY id;
--> 4 | 0 | unknown | 1.0 |
--> 4 | 1 | unknown | 1.5 |
--> 4 | 2 | COFFEE | 102.5 | 09:00:00
--> 4 | 5 | unknown | 50.0 |

MERGE INTO stock USING (SELECT id + 1 AS id, price FROM prices) AS p ON stock.id = p.id
WHEN NOT MATCHED THEN INSERT VALUES (p.id, 'new', p.price, NULL);
MERGE INTO stock USING prices ON stock.id = prices.id WHEN MATCHED THEN UPDATE SET name = 'priced';
SELECT id, name, units FROM stock ORDER BY id;
--> 5 | 0 | unknown | 1.0
--> 5 | 1 | priced | 1.5
--> 5 | 2 | priced | 102.5
--> 5 | 3 | new | 2.5
--> 5 | 5 | unknown | 50.0
--> 5 | 31 | new | 9.0

-- The columns and types of the query, or those that are declared.
CREATE TABLE named AS SELECT UPPER(name) AS name, COUNT(*) AS number, SUM(units) AS units FROM stock GROUP BY UPPER(name);
SELECT * FROM named ORDER BY name;
--> 6 | NEW | 2 | 11.5
--> 6 | PRICED | 2 | 104.0
--> 6 | UNKNOWN | 2 | 51.0
DESCRIBE named;
--> shown NAME | VARCHAR(10) | YES |
--> shown NUMBER | BIGINT | NO |
--> shown UNITS | DECIMAL(38, 1) | YES |
CREATE TABLE IF NOT EXISTS named AS SELECT 1 AS name FROM prices;
CREATE OR REPLACE TABLE named (name CHAR(3), units SMALLINT) AS SELECT name, units FROM named WHERE number = 2;
SELECT * FROM named ORDER BY name;
--> 7 | NEW | 12
--> 7 | PRI | 104
--> 7 | UNK | 51
CREATE OR REPLACE TABLE named (name CHAR(3), units SMALLINT) AS SELECT name, units FROM named WHERE units < 100;
SELECT * FROM named ORDER BY name;
--> 8 | NEW | 12
--> 8 | UNK | 51

-- An order makes it a table that can be read as a stream.
CREATE TABLE arrived (at_time TIMESTAMP(3) LATENESS INTERVAL '1' HOUR, id INTEGER) AS SELECT since, id FROM stock WHERE since IS NOT NULL;
SELECT id FROM arrived;
--> 9 | 2
DELETE FROM stock;
SELECT COUNT(*) FROM stock;
--> 10 | 0

-- DEFAULT as a value: the column's, or NULL where it has none.
CREATE TABLE marks (id INTEGER, mark VARCHAR(5) DEFAULT 'ok', note VARCHAR(5));
INSERT INTO marks VALUES (1, DEFAULT, 'a'), (2, 'bad', DEFAULT);
INSERT INTO marks (mark, id) VALUES (DEFAULT, 3);
SELECT * FROM marks ORDER BY id;
--> 11 | 1 | ok | a
--> 11 | 2 | bad |
--> 11 | 3 | ok |
MERGE INTO marks USING (VALUES (2), (4)) AS v (id) ON marks.id = v.id
WHEN MATCHED THEN UPDATE SET mark = DEFAULT, note = 'm'
WHEN NOT MATCHED THEN INSERT VALUES (v.id, DEFAULT, DEFAULT);
SELECT * FROM marks WHERE id IN (2, 4) ORDER BY id;
--> 12 | 2 | ok | m
--> 12 | 4 | ok |
