-- STATE_TTL of distinct values: they are forgotten with the life of their group, and count again in the next one. By hand.
-- unordered 1
-- steps matter

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER, w VARCHAR(5));

SELECT STREAM 'p', payload.k, op, payload.n, payload.d, payload.s FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, COUNT(DISTINCT v) AS n, COUNT(DISTINCT w) AS d, SUM(DISTINCT v) AS s FROM s GROUP BY k));
CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM /*+ STATE_TTL('s' = '1h') */ k, COUNT(DISTINCT v) FROM s GROUP BY k;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 3, 'x'), (TIMESTAMP '2024-05-01 10:00:00', 'a', 3, 'y'),
  (TIMESTAMP '2024-05-01 10:00:00', 'b', 3, NULL);
--> 1 | p | a | 0 | 1 | 2 | 3
--> 1 | p | b | 0 | 1 | 0 | 3
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:30:00', 'a', 4, 'x'), (TIMESTAMP '2024-05-01 10:30:00', 'b', 3, NULL);
--> 1 | p | a | 1 | 1 | 2 | 3
--> 1 | p | a | 2 | 2 | 2 | 7
SELECT * FROM t ORDER BY k;
--> 2 | a | 2
--> 2 | b | 1
-- More than an hour later, 3 is a new value of A, and then so is 4; within an hour, it is not.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:00:00', 'a', 3, 'x');
--> 1 | p | a | 0 | 1 | 1 | 3
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:59:00', 'a', 4, 'x'), (TIMESTAMP '2024-05-01 13:59:00', 'a', 3, 'z');
--> 1 | p | a | 1 | 1 | 1 | 3
--> 1 | p | a | 2 | 2 | 2 | 7
-- Two lives in one step.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 15:00:00', 'a', 4, 'x'), (TIMESTAMP '2024-05-01 17:00:00', 'a', 5, NULL);
--> 1 | p | a | 0 | 1 | 1 | 4
--> 1 | p | a | 0 | 1 | 0 | 5
SELECT * FROM t ORDER BY k;
--> 3 | a | 1
--> 3 | b | 1
