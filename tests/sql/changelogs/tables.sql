-- The tables that changelogs describe.
-- date 2015-02-15
-- steps matter

CREATE TABLE t (k INTEGER PRIMARY KEY, name VARCHAR(10), amount DECIMAL(8, 2));
INSERT INTO t VALUES (1, 'one', 1.50), (2, NULL, 2.50), (3, 'three', NULL);

-- There and back.
SELECT * FROM FROM_CHANGELOG(TO_CHANGELOG(t)) ORDER BY k;
--> 1 | 1 | one | 1.50
--> 1 | 2 |  | 2.50
--> 1 | 3 | three |

UPDATE t SET amount = 5 WHERE k > 1;
DELETE FROM t WHERE k = 1;
SELECT * FROM FROM_CHANGELOG(TO_CHANGELOG(t)) AS back ORDER BY k;
--> 2 | 2 |  | 5.00
--> 2 | 3 | three | 5.00

-- Changes as rows; equal rows count, and so do NULLs; a row with another op is no change.
CREATE TABLE changes (id INTEGER, op INTEGER, a INTEGER, b VARCHAR(10));
INSERT INTO changes VALUES (1, 0, 1, 'x'), (2, 0, 1, 'x'), (3, 0, 2, NULL), (4, 1, 2, NULL), (5, 2, 2, 'y'), (6, 3, 1, 'x'), (7, 0, 3, 'z'),
  (8, 3, 3, 'z'), (9, 7, 4, 'n'), (10, NULL, 5, 'n');
CREATE VIEW applied AS SELECT * FROM FROM_CHANGELOG((SELECT op, ROW(a, b) AS payload FROM changes)) AS t (a, b);
SELECT * FROM applied ORDER BY a;
--> 3 | 1 | x
--> 3 | 2 | y
SELECT COUNT(*) AS c, SUM(a) AS s FROM applied;
--> 4 | 2 | 3
SELECT t.k, t.name FROM t WHERE k IN (SELECT a FROM applied) ORDER BY k;
--> 5 | 2 |
SELECT t.k, u.b FROM t LEFT JOIN applied AS u ON t.k = u.a ORDER BY k;
--> 6 | 2 | y
--> 6 | 3 |

-- A stream joined with it, as it is when the row is processed.
CREATE STREAM r (rowtime TIMESTAMP NOT NULL, a INTEGER);
SELECT STREAM r.rowtime, r.a, u.b FROM r LEFT JOIN applied AS u ON r.a = u.a;
INSERT INTO r VALUES (TIMESTAMP '2015-02-15 09:00:00', 2), (TIMESTAMP '2015-02-15 09:00:00', 3);
--> 7 | 09:00:00 | 2 | y
--> 7 | 09:00:00 | 3 |
INSERT INTO changes VALUES (11, 1, 2, 'y'), (12, 2, 2, 'w');
INSERT INTO r VALUES (TIMESTAMP '2015-02-15 09:01:00', 2);
--> 7 | 09:01:00 | 2 | w

-- The changes of a stream, kept in a table.
CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER) OPTIONS (history 'all');
CREATE TABLE counts (op TINYINT, payload ROW(k VARCHAR(10), c BIGINT, s BIGINT));
CREATE PUMP p STARTED AS INSERT INTO counts
  SELECT STREAM * FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c, SUM(v) AS s FROM s GROUP BY k HAVING SUM(v) > 0));
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1), (TIMESTAMP '2015-02-15 10:00:00', 'b', 2);
SELECT * FROM FROM_CHANGELOG(counts) ORDER BY k;
--> 8 | a | 1 | 1
--> 8 | b | 1 | 2
!restart
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 'a', 3), (TIMESTAMP '2015-02-15 10:01:00', 'b', -2), (TIMESTAMP '2015-02-15 10:01:00', 'c', 7);
SELECT * FROM FROM_CHANGELOG(counts) ORDER BY k;
--> 9 | a | 2 | 4
--> 9 | c | 1 | 7
SELECT k, COUNT(*) AS c, SUM(v) AS s FROM s GROUP BY k HAVING SUM(v) > 0 ORDER BY k;
--> 10 | a | 2 | 4
--> 10 | c | 1 | 7
