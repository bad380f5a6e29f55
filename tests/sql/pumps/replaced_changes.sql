-- date 2024-05-01
-- steps matter
-- Changes take back rows as they were inserted. So a pump that inserts changes is replaced only by one of the same result, also where what
-- differs is above all state: what its target has would not be the result of either query.
CREATE STREAM s (k VARCHAR(2), v INTEGER, w INTEGER) OPTIONS (history 'all');
CREATE TABLE c (op TINYINT, k VARCHAR(2), n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.k, payload.n FROM TO_CHANGELOG((SELECT k, SUM(v) AS n, SUM(w) AS m FROM s GROUP BY k HAVING SUM(v) > 1));
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 1, 5), (TIMESTAMP '2024-05-01 10:00:00', 'b', 2, 7);
SELECT * FROM c;
--> 1 | 0 | b | 2

-- Another condition: the row of a would be taken back, and has never been inserted.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.k, payload.n FROM TO_CHANGELOG((SELECT k, SUM(v) AS n, SUM(w) AS m FROM s GROUP BY k HAVING SUM(v) > 0));
--! 14:1 RT0516 The saved state of pump 'P' no longer fits its query: its rows are the result of another query
-- Other values of the same state.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.k, payload.n FROM TO_CHANGELOG((SELECT k, SUM(v) + 1 AS n, SUM(w) AS m FROM s GROUP BY k HAVING SUM(v) > 1));
--! 18:1 RT0516 The saved state of pump 'P' no longer fits its query: its rows are the result of another query
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.k, payload.n FROM TO_CHANGELOG((SELECT k, SUM(w) AS n, SUM(v) AS m FROM s GROUP BY k HAVING SUM(v) > 1));
--! 21:1 RT0516 The saved state of pump 'P' no longer fits its query: its rows are the result of another query
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.k, payload.n * 2 FROM TO_CHANGELOG((SELECT k, SUM(v) AS n, SUM(w) AS m FROM s GROUP BY k HAVING SUM(v) > 1));
--! 24:1 RT0516 The saved state of pump 'P' no longer fits its query: its rows are the result of another query

-- Other names and another order of the columns are no other result.
CREATE OR REPLACE PUMP p STARTED AS INSERT INTO c
  SELECT STREAM op, payload.x, payload.z FROM TO_CHANGELOG((SELECT SUM(w) AS y, SUM(v) AS z, k AS x FROM s GROUP BY k HAVING 1 < SUM(v)));
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:01:00', 'a', 1, 5), (TIMESTAMP '2024-05-01 10:01:00', 'b', -1, 7);
SELECT op, k, n FROM c ORDER BY k, op;
--> 2 | 0 | a | 2
--> 2 | 0 | b | 2
--> 2 | 3 | b | 2

-- Changes of a table, which need no state.
CREATE TABLE t (k VARCHAR(2) PRIMARY KEY, v INTEGER);
CREATE TABLE d (op TINYINT, k VARCHAR(2), v BIGINT);
CREATE PUMP q STARTED AS INSERT INTO d SELECT STREAM op, payload.k, payload.v FROM TO_CHANGELOG((SELECT * FROM t WHERE v > 1));
INSERT INTO t VALUES ('a', 1), ('b', 2);
CREATE OR REPLACE PUMP q STARTED AS INSERT INTO d SELECT STREAM op, payload.k, payload.v FROM TO_CHANGELOG((SELECT * FROM t WHERE v > 0));
--! 42:1 RT0516 The saved state of pump 'Q' no longer fits its query: its rows are the result of another query
-- A wider type, and a column that it does not read, are no other result.
ALTER TABLE t ALTER COLUMN v SET DATA TYPE BIGINT;
ALTER TABLE t ADD COLUMN w INTEGER;
INSERT INTO t VALUES ('c', 5000000000, 1);
DELETE FROM t WHERE k = 'b';
SELECT * FROM d ORDER BY k, op;
--> 3 | 0 | b | 2
--> 3 | 3 | b | 2
--> 3 | 0 | c | 5000000000

-- A MERGE may change its clauses, and what they read: they say what becomes of the rows of the table.
CREATE TABLE m (k VARCHAR(2) PRIMARY KEY, n BIGINT);
CREATE PUMP r STARTED AS MERGE INTO m USING (
  SELECT STREAM op, payload.k AS k, payload.n AS n FROM TO_CHANGELOG((SELECT k, SUM(v) AS n FROM s GROUP BY k))) AS x ON m.k = x.k
  WHEN MATCHED AND x.op = 3 THEN DELETE WHEN MATCHED THEN UPDATE SET n = x.n WHEN NOT MATCHED AND x.op IN (0, 2) THEN INSERT VALUES (x.k, x.n);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:02:00', 'a', 1, 5);
CREATE OR REPLACE PUMP r STARTED AS MERGE INTO m USING (
  SELECT STREAM op, payload.k AS k, payload.n + 1 AS n FROM TO_CHANGELOG((SELECT k, SUM(v) AS n FROM s GROUP BY k))) AS x ON m.k = x.k
  WHEN MATCHED AND x.op = 3 THEN DELETE WHEN MATCHED THEN UPDATE SET n = x.n WHEN NOT MATCHED AND x.op IN (0, 2) THEN INSERT VALUES (x.k, x.n);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:03:00', 'a', 1, 5);
SELECT * FROM m;
--> 4 | a | 3
