-- Conditions on the current time, which is the bound of ROWTIME: rows enter and leave as it advances.
-- date 2015-02-15
-- steps matter
-- unordered 1 2 3

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER, until_ts TIMESTAMP);

-- The changes of an append-only stream; both sides; and of a result that changes.
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT k, v FROM s WHERE rowtime > NOW() - INTERVAL '1' HOUR));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT k, v FROM s WHERE rowtime BETWEEN CURRENT_TIMESTAMP - INTERVAL '1' HOUR AND NOW() - INTERVAL '30' MINUTE));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT k, n, latest FROM (SELECT k, COUNT(*) AS n, MAX(rowtime) AS latest FROM s GROUP BY k)
  WHERE latest > NOW() - INTERVAL '1' HOUR));

-- Below operators, in pumps and in views: validity of rows, with an end of their own, which can be missing; two equal rows count.
CREATE TABLE valid (k VARCHAR(10) PRIMARY KEY, n BIGINT, s BIGINT);
CREATE PUMP p STARTED AS INSERT INTO valid SELECT STREAM k, COUNT(*), SUM(v) FROM s WHERE NOW() < until_ts AND v > 0 GROUP BY k;
CREATE MATERIALIZED VIEW top AS SELECT k, v FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM s
  WHERE (NOW() - rowtime) SECOND <= INTERVAL '1' HOUR) WHERE r = 1;
CREATE MATERIALIZED VIEW pairs AS SELECT a.k, COUNT(*) AS n FROM s AS a JOIN s AS b ON a.k = b.k AND a.v < b.v
  WHERE a.rowtime > NOW() - INTERVAL '1' HOUR AND b.rowtime > NOW() - INTERVAL '2' HOUR GROUP BY a.k;

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1, TIMESTAMP '2015-02-15 10:45:00'), (TIMESTAMP '2015-02-15 10:00:00', 'a', 1, NULL),
  (TIMESTAMP '2015-02-15 10:10:00', 'b', 5, TIMESTAMP '2015-02-15 12:00:00');
--> 1 | 0 | 0 | a | 1
--> 1 | 0 | 0 | a | 1
--> 1 | 0 | 0 | b | 5
--> 3 | 0 | 0 | a | 2 | 2015-02-15 10:00:00
--> 3 | 0 | 0 | b | 1 | 2015-02-15 10:10:00
SELECT * FROM valid ORDER BY k;
--> 4 | a | 1 | 1
--> 4 | b | 1 | 5
SELECT * FROM top ORDER BY k;
--> 5 | a | 1
--> 5 | b | 5

-- At 10:40 the rows of 10:00 and 10:10 are half an hour old.
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:40:00', 'a', 3, TIMESTAMP '2015-02-15 11:00:00');
--> 1 | 0 | 0 | a | 3
--> 2 | 0 | 0 | a | 1
--> 2 | 0 | 0 | a | 1
--> 2 | 0 | 0 | b | 5
--> 3 | 0 | 1 | a | 2 | 2015-02-15 10:00:00
--> 3 | 0 | 2 | a | 3 | 2015-02-15 10:40:00
SELECT * FROM valid ORDER BY k;
--> 6 | a | 2 | 4
--> 6 | b | 1 | 5
SELECT * FROM pairs ORDER BY k;
--> 7 | a | 2

!restart

-- At 11:00, an hour after 10:00: `>` no longer has these rows, `>=` still has. The row with 11:00 as its end is over, and one that is over
-- when it arrives is never there.
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 11:00:00', 'b', 2, TIMESTAMP '2015-02-15 10:59:00');
--> 1 | 0 | 3 | a | 1
--> 1 | 0 | 3 | a | 1
--> 1 | 0 | 0 | b | 2
--> 3 | 0 | 1 | b | 1 | 2015-02-15 10:10:00
--> 3 | 0 | 2 | b | 2 | 2015-02-15 11:00:00
SELECT * FROM valid ORDER BY k;
--> 8 | b | 1 | 5
SELECT * FROM top ORDER BY k;
--> 9 | a | 3
--> 9 | b | 5
SELECT * FROM pairs ORDER BY k;
--> 10 | b | 1

-- A bound alone lets time go on.
!bound s '2015-02-15 11:10:00.001'
--> 1 | 0 | 3 | b | 5
--> 2 | 0 | 3 | a | 1
--> 2 | 0 | 3 | a | 1
--> 2 | 0 | 3 | b | 5
--> 2 | 0 | 0 | a | 3
SELECT * FROM top ORDER BY k;
--> 11 | a | 3
--> 11 | b | 2

-- Rows enter and leave in one step: they are never seen.
!bound s '2015-02-15 11:59:00'
--> 1 | 0 | 3 | a | 3
--> 2 | 0 | 3 | a | 3
--> 2 | 0 | 0 | b | 2
--> 3 | 0 | 3 | a | 3 | 2015-02-15 10:40:00
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 13:00:00', 'a', 4, TIMESTAMP '2015-02-15 15:00:00');
--> 1 | 0 | 3 | b | 2
--> 1 | 0 | 0 | a | 4
--> 2 | 0 | 3 | b | 2
--> 3 | 0 | 3 | b | 2 | 2015-02-15 11:00:00
--> 3 | 0 | 0 | a | 4 | 2015-02-15 13:00:00
SELECT * FROM valid ORDER BY k;
--> 12 | a | 1 | 4
SELECT * FROM top ORDER BY k;
--> 13 | a | 4
