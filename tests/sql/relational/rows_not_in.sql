-- A row with a NULL may be equal to another row only if no other column differs (the rows are DuckDB's).
-- date 2024-05-01
CREATE TABLE t (k INTEGER, id INTEGER);
INSERT INTO t VALUES (2, 5), (NULL, 7), (1, 4);
CREATE STREAM s (a INTEGER, b INTEGER) OPTIONS (history 'all');
SELECT STREAM a, b FROM s WHERE (a, b) NOT IN (SELECT k, id FROM t);
SELECT STREAM a, b, (a, b) IN (SELECT k, id FROM t) AS v FROM s;
INSERT INTO s (rowtime, a, b) VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 3), (TIMESTAMP '2024-05-01 10:00:01', 1, 7),
(TIMESTAMP '2024-05-01 10:00:02', 2, 5), (TIMESTAMP '2024-05-01 10:00:03', NULL, 5), (TIMESTAMP '2024-05-01 10:00:04', NULL, 9);
--> 1 | 1 | 3
--> 1 |  | 9
--> 2 | 1 | 3 | FALSE
--> 2 | 1 | 7 |
--> 2 | 2 | 5 | TRUE
--> 2 |  | 5 |
--> 2 |  | 9 | FALSE
SELECT a, b FROM s WHERE (a, b) NOT IN (SELECT k, id FROM t) ORDER BY b;
--> 3 | 1 | 3
--> 3 |  | 9
SELECT a, b FROM s WHERE (a, b) IN (SELECT k, id FROM t);
--> 4 | 2 | 5
SELECT COUNT(*) FROM (VALUES (0)) AS v (x) WHERE (1, 3) NOT IN (SELECT k, id FROM t);
--> 5 | 1
SELECT COUNT(*) FROM (VALUES (0)) AS v (x) WHERE (1, 7) NOT IN (SELECT k, id FROM t);
--> 6 | 0
SELECT a, b, CASE WHEN (a, b) NOT IN (SELECT k, id FROM t) THEN 'other' ELSE 'maybe' END AS v FROM s ORDER BY b, a NULLS LAST;
--> 7 | 1 | 3 | other
--> 7 | 2 | 5 | maybe
--> 7 |  | 5 | maybe
--> 7 | 1 | 7 | maybe
--> 7 |  | 9 | other
SELECT a, b FROM s WHERE (a, b) NOT IN (SELECT k, id FROM t WHERE id IN (SELECT id FROM t WHERE id > 4)) ORDER BY b;
--> 8 | 1 | 3
--> 8 |  | 9
SELECT a, b FROM s WHERE NOT (b = 3 OR (a, b) IN (SELECT k, id FROM t WHERE id >= s.b));
--> 9 |  | 9
