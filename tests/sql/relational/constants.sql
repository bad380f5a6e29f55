-- A constant has one value: in VALUES, which the planner computes if it can, in a query, and beside a sub-query, which
-- is decorrelated. By hand: a number is rounded half away from zero; a text has the digits of its type.
CREATE TABLE t (n INTEGER, d DECIMAL(4, 1), ts TIMESTAMP, word VARCHAR(30));
INSERT INTO t VALUES (CAST(1.5E0 AS INTEGER), 2.25, TIMESTAMP '2015-02-15 10:24:45' + INTERVAL '0.5' SECOND, CAST(TIMESTAMP '2015-02-15 10:24:45.120' AS VARCHAR(30)));
INSERT INTO t VALUES (2.7E0, -2.25, CEIL(TIMESTAMP '2001-01-01 00:00:00' TO CENTURY), CAST(0.0000000001 AS VARCHAR(30)));
INSERT INTO t VALUES (2147483647 + 1, NULL, NULL, NULL);
--! 6:1 RT0510 The query failed: overflow (ARITHMETIC_OVERFLOW)

SELECT n, d, CAST(ts AS VARCHAR(30)) AS ts, word FROM t ORDER BY n;
--> 1 | 2 | 2.3 | 2015-02-15 10:24:45.500 | 2015-02-15 10:24:45.120
--> 1 | 3 | -2.3 | 2001-01-01 00:00:00.000 | .0000000001

SELECT n, CAST(1.5E0 AS INTEGER) AS r FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS u WHERE u.n = t.n + 7) ORDER BY n;
--> 2 | 2 | 2
--> 2 | 3 | 2
