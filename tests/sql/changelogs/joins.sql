-- Joins of whole streams, and of results that change, as changelogs.
-- date 2015-02-15
-- steps matter
-- restart between any two lines in the long form
-- unordered 1 2 3 4 5 6 7 8 9 10 11 12 13

CREATE STREAM a (rowtime TIMESTAMP NOT NULL, k INTEGER, v INTEGER);
CREATE STREAM b (rowtime TIMESTAMP NOT NULL, k INTEGER, w INTEGER);

-- 1: equal rows count
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.v, b.w FROM a JOIN b ON a.k = b.k));
-- 2, 3: a row without a match goes when a match arrives; NULL matches nothing
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.v, b.w FROM a LEFT JOIN b ON a.k = b.k));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.v, b.w FROM a FULL JOIN b ON a.k = b.k));
-- 4, 5, 6: another condition besides; rows of the same key may or may not match
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT a.v, b.w FROM a RIGHT JOIN b ON a.k = b.k AND a.v < b.w));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT v FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.w > a.v)));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT v FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.w > a.v)));
-- 7: IN
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT v FROM a WHERE k IN (SELECT k FROM b)));
-- 8: of results that change; each has one row for a key, and so has the join
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT x.k, x.s, y.c
  FROM (SELECT k, SUM(v) AS s FROM a GROUP BY k) AS x JOIN (SELECT k, COUNT(*) AS c FROM b GROUP BY k) AS y ON x.k = y.k));
-- 9: by its key
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT x.k, x.s, y.c
  FROM (SELECT k, SUM(v) AS s FROM a GROUP BY k) AS x LEFT JOIN (SELECT k, COUNT(*) AS c FROM b GROUP BY k) AS y ON x.k = y.k),
  on_key => DESCRIPTOR(k));
-- 10: below a GROUP BY
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT b.w, SUM(a.v) AS s FROM a JOIN b ON a.k = b.k GROUP BY b.w));
-- 11: a stream with itself, and with another one
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT x.v, y.v AS v2, b.w FROM a AS x JOIN a AS y ON x.k = y.k JOIN b ON b.k = y.k));
-- 12: rows that a row of a result replaces leave the keys of their old values
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT x.k, x.c, b.k AS m
  FROM (SELECT k, COUNT(*) AS c FROM a GROUP BY k) AS x JOIN b ON x.c = b.k));
-- 13: the first two rows of a join, which only adds rows; equal ones count
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT v, w FROM (
  SELECT a.v, b.w, ROW_NUMBER() OVER (PARTITION BY a.v ORDER BY b.w DESC) AS n FROM a JOIN b ON a.k = b.k) WHERE n <= 2));

-- Step 1
INSERT INTO a VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 10), (TIMESTAMP '2015-02-15 10:00:00', 2, 20),
  (TIMESTAMP '2015-02-15 10:00:00', NULL, 5);
--> 2 | 0 | 0 | 10 |
--> 2 | 0 | 0 | 20 |
--> 2 | 0 | 0 | 5 |
--> 3 | 0 | 0 | 10 |
--> 3 | 0 | 0 | 20 |
--> 3 | 0 | 0 | 5 |
--> 6 | 0 | 0 | 10
--> 6 | 0 | 0 | 20
--> 6 | 0 | 0 | 5
--> 9 | 0 | 0 | 1 | 10 |
--> 9 | 0 | 0 | 2 | 20 |
--> 9 | 0 | 0 |   | 5 |
-- Step 2
INSERT INTO b VALUES (TIMESTAMP '2015-02-15 10:00:00', 1, 15), (TIMESTAMP '2015-02-15 10:00:00', 1, 5),
  (TIMESTAMP '2015-02-15 10:00:00', 3, 7), (TIMESTAMP '2015-02-15 10:00:00', NULL, 9);
--> 1 | 0 | 0 | 10 | 15
--> 1 | 0 | 0 | 10 | 5
--> 2 | 0 | 3 | 10 |
--> 2 | 0 | 0 | 10 | 15
--> 2 | 0 | 0 | 10 | 5
--> 3 | 0 | 3 | 10 |
--> 3 | 0 | 0 | 10 | 15
--> 3 | 0 | 0 | 10 | 5
--> 3 | 0 | 0 |  | 7
--> 3 | 0 | 0 |  | 9
--> 4 | 0 | 0 | 10 | 15
--> 4 | 0 | 0 |  | 5
--> 4 | 0 | 0 |  | 7
--> 4 | 0 | 0 |  | 9
--> 5 | 0 | 0 | 10
--> 6 | 0 | 3 | 10
--> 7 | 0 | 0 | 10
--> 8 | 0 | 0 | 1 | 10 | 2
--> 9 | 0 | 2 | 1 | 10 | 2
--> 10 | 0 | 0 | 15 | 10
--> 10 | 0 | 0 | 5 | 10
--> 11 | 0 | 0 | 10 | 10 | 15
--> 11 | 0 | 0 | 10 | 10 | 5
--> 12 | 0 | 0 | 1 | 1 | 1
--> 12 | 0 | 0 | 1 | 1 | 1
--> 12 | 0 | 0 | 2 | 1 | 1
--> 12 | 0 | 0 | 2 | 1 | 1
--> 12 | 0 | 0 |  | 1 | 1
--> 12 | 0 | 0 |  | 1 | 1
--> 13 | 0 | 0 | 10 | 15
--> 13 | 0 | 0 | 10 | 5
!restart
-- Step 3
INSERT INTO a VALUES (TIMESTAMP '2015-02-15 10:01:00', 1, 10), (TIMESTAMP '2015-02-15 10:01:00', 3, 1);
--> 1 | 0 | 0 | 10 | 15
--> 1 | 0 | 0 | 10 | 5
--> 1 | 0 | 0 | 1 | 7
--> 2 | 0 | 0 | 10 | 15
--> 2 | 0 | 0 | 10 | 5
--> 2 | 0 | 0 | 1 | 7
--> 3 | 0 | 0 | 10 | 15
--> 3 | 0 | 0 | 10 | 5
--> 3 | 0 | 3 |  | 7
--> 3 | 0 | 0 | 1 | 7
--> 4 | 0 | 0 | 10 | 15
--> 4 | 0 | 3 |  | 7
--> 4 | 0 | 0 | 1 | 7
--> 5 | 0 | 0 | 10
--> 5 | 0 | 0 | 1
--> 7 | 0 | 0 | 10
--> 7 | 0 | 0 | 1
--> 8 | 0 | 1 | 1 | 10 | 2
--> 8 | 0 | 2 | 1 | 20 | 2
--> 8 | 0 | 0 | 3 | 1 | 1
--> 9 | 0 | 2 | 1 | 20 | 2
--> 9 | 0 | 0 | 3 | 1 | 1
--> 10 | 0 | 1 | 15 | 10
--> 10 | 0 | 2 | 15 | 20
--> 10 | 0 | 1 | 5 | 10
--> 10 | 0 | 2 | 5 | 20
--> 10 | 0 | 0 | 7 | 1
--> 11 | 0 | 0 | 10 | 10 | 15
--> 11 | 0 | 0 | 10 | 10 | 15
--> 11 | 0 | 0 | 10 | 10 | 15
--> 11 | 0 | 0 | 10 | 10 | 5
--> 11 | 0 | 0 | 10 | 10 | 5
--> 11 | 0 | 0 | 10 | 10 | 5
--> 11 | 0 | 0 | 1 | 1 | 7
--> 12 | 0 | 3 | 1 | 1 | 1
--> 12 | 0 | 3 | 1 | 1 | 1
--> 12 | 0 | 0 | 3 | 1 | 1
--> 12 | 0 | 0 | 3 | 1 | 1
--> 13 | 0 | 3 | 10 | 5
--> 13 | 0 | 0 | 10 | 15
--> 13 | 0 | 0 | 1 | 7
-- Step 4
INSERT INTO b VALUES (TIMESTAMP '2015-02-15 10:02:00', 2, 20);
--> 1 | 0 | 0 | 20 | 20
--> 2 | 0 | 3 | 20 |
--> 2 | 0 | 0 | 20 | 20
--> 3 | 0 | 3 | 20 |
--> 3 | 0 | 0 | 20 | 20
--> 4 | 0 | 0 |  | 20
--> 7 | 0 | 0 | 20
--> 8 | 0 | 0 | 2 | 20 | 1
--> 9 | 0 | 2 | 2 | 20 | 1
--> 10 | 0 | 0 | 20 | 20
--> 11 | 0 | 0 | 20 | 20 | 20
--> 12 | 0 | 0 | 1 | 2 | 2
--> 13 | 0 | 0 | 20 | 20
