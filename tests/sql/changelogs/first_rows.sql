-- The first rows of partitions that are never complete: Top-N and deduplication over all time.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6 7 8

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER, w INTEGER);

-- 1: the two greatest values of each key; without the number in the result, a row that only changes its place is no change
SELECT STREAM 1, op, payload.* FROM TO_CHANGELOG((SELECT k, v, w FROM (
  SELECT t.*, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s AS t) WHERE rn <= 2));
-- 2: with it, the key is the partition and the number
SELECT STREAM 2, op, payload.* FROM TO_CHANGELOG((SELECT k, rn, v, w FROM (
  SELECT t.*, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM s AS t) WHERE rn <= 2));
-- 3: the last row of each key
SELECT STREAM 3, op, payload.* FROM TO_CHANGELOG((SELECT k, v, w FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1),
  on_key => DESCRIPTOR(k));
-- 4: the first one stays
SELECT STREAM 4, op, payload.* FROM TO_CHANGELOG((SELECT k, v, w FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) <= 1));
-- 5: of results that change, over all; a group that is deleted or falls behind lets another one in
SELECT STREAM 5, op, payload.* FROM TO_CHANGELOG((SELECT k, c FROM (
  SELECT k, SUM(v) AS c FROM s GROUP BY k HAVING SUM(v) > 1) QUALIFY ROW_NUMBER() OVER (ORDER BY c DESC, k) <= 2));
-- 6: ranks, with ties
SELECT STREAM 6, op, payload.* FROM TO_CHANGELOG((SELECT k, v, RANK() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM s
  QUALIFY RANK() OVER (PARTITION BY k ORDER BY v DESC) <= 2));
-- 7: the rows with the best value
SELECT STREAM 7, op, payload.* FROM TO_CHANGELOG((SELECT k, v, w FROM (
  SELECT t.*, MAX(v) OVER (PARTITION BY k ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS m FROM s AS t) WHERE v = m));
-- 8: below a GROUP BY
SELECT STREAM 8, op, payload.* FROM TO_CHANGELOG((SELECT COUNT(*) AS c, SUM(v) AS v FROM (
  SELECT t.*, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC, v) AS rn FROM s AS t) WHERE rn = 1));

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 3, 1), (TIMESTAMP '2015-02-15 10:00:00', 'b', 1, 2),
  (TIMESTAMP '2015-02-15 10:01:00', 'a', 2, 3);
--> 1 | 1 | 0 | a | 3 | 1
--> 1 | 1 | 0 | a | 2 | 3
--> 1 | 1 | 0 | b | 1 | 2
--> 2 | 2 | 0 | a | 1 | 3 | 1
--> 2 | 2 | 0 | a | 2 | 2 | 3
--> 2 | 2 | 0 | b | 1 | 1 | 2
--> 3 | 3 | 0 | a | 2 | 3
--> 3 | 3 | 0 | b | 1 | 2
--> 4 | 4 | 0 | a | 3 | 1
--> 4 | 4 | 0 | b | 1 | 2
--> 5 | 5 | 0 | a | 5
--> 6 | 6 | 0 | a | 3 | 1
--> 6 | 6 | 0 | a | 2 | 2
--> 6 | 6 | 0 | b | 1 | 1
--> 7 | 7 | 0 | a | 3 | 1
--> 7 | 7 | 0 | b | 1 | 2
--> 8 | 8 | 0 | 2 | 3

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:02:00', 'a', 4, 4), (TIMESTAMP '2015-02-15 10:02:00', 'b', 1, 5),
  (TIMESTAMP '2015-02-15 10:02:00', 'c', 6, 6);
--> 1 | 1 | 3 | a | 2 | 3
--> 1 | 1 | 0 | a | 4 | 4
--> 1 | 1 | 0 | b | 1 | 5
--> 1 | 1 | 0 | c | 6 | 6
--> 2 | 2 | 1 | a | 1 | 3 | 1
--> 2 | 2 | 2 | a | 1 | 4 | 4
--> 2 | 2 | 1 | a | 2 | 2 | 3
--> 2 | 2 | 2 | a | 2 | 3 | 1
--> 2 | 2 | 0 | b | 2 | 1 | 5
--> 2 | 2 | 0 | c | 1 | 6 | 6
--> 3 | 3 | 2 | a | 4 | 4
--> 3 | 3 | 2 | b | 1 | 5
--> 3 | 3 | 0 | c | 6 | 6
--> 4 | 4 | 0 | c | 6 | 6
--> 5 | 5 | 1 | a | 5
--> 5 | 5 | 2 | a | 9
--> 5 | 5 | 0 | c | 6
--> 6 | 6 | 3 | a | 3 | 1
--> 6 | 6 | 3 | a | 2 | 2
--> 6 | 6 | 0 | a | 4 | 1
--> 6 | 6 | 0 | a | 3 | 2
--> 6 | 6 | 0 | b | 1 | 1
--> 6 | 6 | 0 | c | 6 | 1
--> 7 | 7 | 3 | a | 3 | 1
--> 7 | 7 | 0 | a | 4 | 4
--> 7 | 7 | 0 | b | 1 | 5
--> 7 | 7 | 0 | c | 6 | 6
--> 8 | 8 | 1 | 2 | 3
--> 8 | 8 | 2 | 3 | 11

-- The value 4 of a is there twice; the earlier row is the first of them. The sum of a falls behind, and then below the least.
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:03:00', 'a', 4, 0), (TIMESTAMP '2015-02-15 10:03:30', 'a', -9, 7);
--> 1 | 1 | 3 | a | 3 | 1
--> 1 | 1 | 0 | a | 4 | 0
--> 2 | 2 | 1 | a | 2 | 3 | 1
--> 2 | 2 | 2 | a | 2 | 4 | 0
--> 3 | 3 | 2 | a | -9 | 7
--> 5 | 5 | 1 | a | 9
--> 5 | 5 | 2 | a | 4
--> 6 | 6 | 3 | a | 3 | 2
--> 6 | 6 | 0 | a | 4 | 1
--> 7 | 7 | 0 | a | 4 | 0
--> 8 | 8 | 1 | 3 | 11
--> 8 | 8 | 2 | 3 | -2

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:04:00', 'b', 1, 8), (TIMESTAMP '2015-02-15 10:04:00', 'a', -3, 9);
--> 3 | 3 | 2 | a | -3 | 9
--> 3 | 3 | 2 | b | 1 | 8
--> 5 | 5 | 3 | a | 4
--> 5 | 5 | 0 | b | 3
--> 6 | 6 | 0 | b | 1 | 1
--> 7 | 7 | 0 | b | 1 | 8
--> 8 | 8 | 1 | 3 | -2
--> 8 | 8 | 2 | 3 | 4
