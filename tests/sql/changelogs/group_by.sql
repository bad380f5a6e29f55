-- Results that change as changelogs: GROUP BY without a monotonic key, above and below other operators. The rows of a
-- step are what the step changes in all, so they depend on how the input is divided into steps.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6 7 8 9 10

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);

-- 1: each group that a step changes; the key is unique
SELECT STREAM 1, op, payload.* FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c, SUM(v) AS s, MIN(v) AS m FROM s GROUP BY k));
-- 2: the same, where the key says which row is replaced
SELECT STREAM 2, op, payload.k, payload.c FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM s GROUP BY k), on_key => DESCRIPTOR(k));
-- 3: a group by the results of groups; one that has no rows any more is deleted
SELECT STREAM 3, op, payload.* FROM TO_CHANGELOG((SELECT c, COUNT(*) AS n, SUM(s) AS s, AVG(s) AS a
  FROM (SELECT k, COUNT(*) AS c, SUM(v) AS s FROM s GROUP BY k) GROUP BY c));
-- 4: HAVING; a row that does not fulfil it any more is deleted
SELECT STREAM 4, op, payload.k FROM TO_CHANGELOG((SELECT k FROM s GROUP BY k HAVING SUM(v) > 3));
-- 5: one group of all rows
SELECT STREAM 5, op, payload.c FROM TO_CHANGELOG((SELECT COUNT(*) AS c FROM s));
-- 6: without a unique key, whole rows are inserted and deleted; what a step changes may be nothing
SELECT STREAM 6, op, payload.s FROM TO_CHANGELOG((SELECT SUM(v) AS s FROM s GROUP BY k));
-- 7: DISTINCT
SELECT STREAM 7, op, payload.k FROM TO_CHANGELOG((SELECT DISTINCT k FROM s));
-- 8: GROUPING SETS
SELECT STREAM 8, op, payload.* FROM TO_CHANGELOG((SELECT k, v, COUNT(*) AS c, GROUPING(v) AS g FROM s GROUP BY ROLLUP (k, v)));
-- 9: a group that is complete changes nothing any more
SELECT STREAM 9, op, payload.* FROM TO_CHANGELOG((SELECT FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO HOUR)));
-- 10: the least and the greatest of results that change
SELECT STREAM 10, op, payload.* FROM TO_CHANGELOG((SELECT MIN(c) AS lo, MAX(s) AS hi
  FROM (SELECT k, COUNT(*) AS c, SUM(v) AS s FROM s GROUP BY k)));

CREATE TABLE changes (op TINYINT, k VARCHAR(10), c BIGINT);
CREATE PUMP p STARTED AS INSERT INTO changes (op, k, c)
  SELECT STREAM op, payload.k, payload.c FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM s GROUP BY k));

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1), (TIMESTAMP '2015-02-15 10:00:00', 'b', 2);
--> 1 | 1 | 0 | a | 1 | 1 | 1
--> 1 | 1 | 0 | b | 1 | 2 | 2
--> 2 | 2 | 0 | a | 1
--> 2 | 2 | 0 | b | 1
--> 3 | 3 | 0 | 1 | 2 | 3 | 1.500000
--> 5 | 5 | 0 | 2
--> 6 | 6 | 0 | 1
--> 6 | 6 | 0 | 2
--> 7 | 7 | 0 | a
--> 7 | 7 | 0 | b
--> 8 | 8 | 0 | a | 1 | 1 | 0
--> 8 | 8 | 0 | b | 2 | 1 | 0
--> 8 | 8 | 0 | a |   | 1 | 1
--> 8 | 8 | 0 | b |   | 1 | 1
--> 8 | 8 | 0 |   |   | 2 | 1
--> 10 | 10 | 0 | 1 | 2

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 'a', 3);
--> 1 | 1 | 1 | a | 1 | 1 | 1
--> 1 | 1 | 2 | a | 2 | 4 | 1
--> 2 | 2 | 2 | a | 2
--> 3 | 3 | 1 | 1 | 2 | 3 | 1.500000
--> 3 | 3 | 2 | 1 | 1 | 2 | 2.000000
--> 3 | 3 | 0 | 2 | 1 | 4 | 4.000000
--> 4 | 4 | 0 | a
--> 5 | 5 | 1 | 2
--> 5 | 5 | 2 | 3
--> 6 | 6 | 3 | 1
--> 6 | 6 | 0 | 4
--> 8 | 8 | 0 | a | 3 | 1 | 0
--> 8 | 8 | 3 | a |   | 1 | 1
--> 8 | 8 | 0 | a |   | 2 | 1
--> 8 | 8 | 3 |   |   | 2 | 1
--> 8 | 8 | 0 |   |   | 3 | 1
--> 10 | 10 | 1 | 1 | 2
--> 10 | 10 | 2 | 1 | 4

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 11:02:00', 'b', 1), (TIMESTAMP '2015-02-15 11:02:00', 'b', 1),
  (TIMESTAMP '2015-02-15 11:03:00', 'a', -2);
--> 1 | 1 | 1 | b | 1 | 2 | 2
--> 1 | 1 | 2 | b | 3 | 4 | 1
--> 1 | 1 | 1 | a | 2 | 4 | 1
--> 1 | 1 | 2 | a | 3 | 2 | -2
--> 2 | 2 | 2 | a | 3
--> 2 | 2 | 2 | b | 3
--> 3 | 3 | 3 | 1 | 1 | 2 | 2.000000
--> 3 | 3 | 3 | 2 | 1 | 4 | 4.000000
--> 3 | 3 | 0 | 3 | 2 | 6 | 3.000000
--> 4 | 4 | 3 | a
--> 4 | 4 | 0 | b
--> 5 | 5 | 1 | 3
--> 5 | 5 | 2 | 6
--> 8 | 8 | 0 | b | 1 | 2 | 0
--> 8 | 8 | 0 | a | -2 | 1 | 0
--> 8 | 8 | 3 | b |   | 1 | 1
--> 8 | 8 | 0 | b |   | 3 | 1
--> 8 | 8 | 3 | a |   | 2 | 1
--> 8 | 8 | 0 | a |   | 3 | 1
--> 8 | 8 | 3 |   |   | 3 | 1
--> 8 | 8 | 0 |   |   | 6 | 1
--> 9 | 9 | 0 | 10:00:00 | 3
--> 10 | 10 | 1 | 1 | 4
--> 10 | 10 | 2 | 3 | 4

-- As a relation, every row is an insertion.
SELECT op, payload.k, payload.c FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c FROM s GROUP BY k)) ORDER BY k;
--> 11 | 0 | a | 3
--> 11 | 0 | b | 3

-- Applied, the changes in the table are the result.
SELECT k, SUM(CASE WHEN op IN (0, 2) THEN c ELSE -c END) AS c FROM changes GROUP BY k ORDER BY k;
--> 12 | a | 3
--> 12 | b | 3
