-- Sessions over relations, with keys that are constants: Spark did not find such a key beside a function with DISTINCT.
-- date 2015-02-15
CREATE STREAM v (id INTEGER, s VARCHAR(5)) OPTIONS (history 'all');
CREATE TABLE t (id INTEGER, k INTEGER);
INSERT INTO t VALUES (1, 1), (2, 1);
INSERT INTO v VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 'a'), (TIMESTAMP '2015-02-15 10:05:00', 2, 'b'), (TIMESTAMP '2015-02-15 11:05:00', 2, 'b');
-- 1: one constant beside a column
SELECT SESSION_END(rowtime, INTERVAL '20' MINUTE), q.c, q.s, COUNT(DISTINCT q.id), AVG(q.id) FILTER (WHERE q.s LIKE 'a%')
  FROM (SELECT rowtime, id, s, TIMESTAMP '2015-02-15 09:00:00' AS c FROM v) AS q GROUP BY SESSION(rowtime, INTERVAL '20' MINUTE), q.c, q.s ORDER BY 1;
-- 2: no other key; an expression without columns, below a filter and a sub-query
SELECT SESSION_START(rowtime, INTERVAL '20' MINUTE), q.d, COUNT(DISTINCT q.s)
  FROM (SELECT * FROM (SELECT rowtime, id, s, DATE '2015-01-31' + INTERVAL '30' DAY AS d FROM v) AS p WHERE id > 0) AS q
  GROUP BY SESSION(rowtime, INTERVAL '20' MINUTE), q.d ORDER BY 1;
-- 3: a constant of each side of a join, and of an aggregate; a NULL
SELECT SESSION_END(r.rowtime, INTERVAL '20' MINUTE), a.x, r.y, a.z, COUNT(DISTINCT r.id)
  FROM (SELECT rowtime, id, 'y' AS y FROM v) AS r JOIN (SELECT id, 7 AS x, CAST(NULL AS INTEGER) AS z FROM t GROUP BY id) AS a ON r.id = a.id
  GROUP BY SESSION(r.rowtime, INTERVAL '20' MINUTE), a.x, r.y, a.z ORDER BY 1;
-- 4: an outer join makes no constant of a constant
SELECT SESSION_END(r.rowtime, INTERVAL '20' MINUTE), a.x, COUNT(DISTINCT r.id)
  FROM v AS r LEFT JOIN (SELECT id, 7 AS x FROM t WHERE id = 1) AS a ON r.id = a.id GROUP BY SESSION(r.rowtime, INTERVAL '20' MINUTE), a.x ORDER BY 1;
-- 5: no rows, no sessions
SELECT SESSION_END(rowtime, INTERVAL '20' MINUTE), q.c, COUNT(DISTINCT q.id)
  FROM (SELECT rowtime, id, 1 AS c FROM v WHERE id > 9) AS q GROUP BY SESSION(rowtime, INTERVAL '20' MINUTE), q.c;
-- 6: below another aggregate
SELECT c, SUM(n) FROM (SELECT q.c, COUNT(DISTINCT q.id) AS n FROM (SELECT rowtime, id, 1 AS c FROM v) AS q
  GROUP BY SESSION(q.rowtime, INTERVAL '20' MINUTE), q.c) AS g GROUP BY c;
--> 1 | 10:20:00 | 09:00:00 | a | 1 | 1.000000
--> 1 | 10:25:00 | 09:00:00 | b | 1 |
--> 1 | 11:25:00 | 09:00:00 | b | 1 |
--> 2 | 10:00:00 | 2015-03-02 | 2
--> 2 | 11:05:00 | 2015-03-02 | 1
--> 3 | 10:25:00 | 7 | y |  | 2
--> 3 | 11:25:00 | 7 | y |  | 1
--> 4 | 10:20:00 | 7 | 1
--> 4 | 10:25:00 |  | 1
--> 4 | 11:25:00 |  | 1
--> 6 | 1 | 3
