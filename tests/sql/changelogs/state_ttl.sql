-- STATE_TTL: a row more than an hour after the one before it in its group begins the group anew. The row of the result until then
-- stays: it is never retracted. The counts and sums are by hand.
-- unordered 1
-- unordered 2
-- unordered 3
-- unordered 4
-- unordered 5
-- unordered 6
-- steps matter

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE STREAM late (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '30' MINUTE, k VARCHAR(10));

-- 1: changes. 2: upserts. 3: whole rows, as HAVING may leave out one of a life. 4: what is above counts the lives of groups. 5: DISTINCT.
SELECT STREAM 'p', payload.k, op, payload.n, payload.total FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, COUNT(*) AS n, SUM(v) AS total FROM s GROUP BY k));
SELECT STREAM 'p', payload.k, op, payload.n, payload.total FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('o' = '60 min') */ k, COUNT(*) AS n, SUM(v) AS total FROM s AS o GROUP BY k), on_key => DESCRIPTOR(k));
SELECT STREAM 'p', payload.k, op, payload.n FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('S' = '1 hour') */ k, COUNT(*) AS n FROM s GROUP BY k HAVING COUNT(*) > 1));
SELECT STREAM 'p', payload.n, op, payload.lives FROM TO_CHANGELOG((
  SELECT n, COUNT(*) AS lives FROM (SELECT /*+ STATE_TTL('s' = '1h') */ k, COUNT(*) AS n FROM s GROUP BY k) GROUP BY n));
SELECT STREAM 'p', payload.k, op FROM TO_CHANGELOG((SELECT /*+ STATE_TTL('s' = '1h') */ DISTINCT k FROM s));
-- 6: rows out of order wait for the bound, so it does not matter which comes first.
SELECT STREAM 'p', payload.k, op, payload.n FROM TO_CHANGELOG((SELECT /*+ STATE_TTL('late' = '1h') */ k, COUNT(*) AS n FROM late GROUP BY k));

CREATE TABLE t (k VARCHAR(10), n BIGINT, total BIGINT, PRIMARY KEY (k));
CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM /*+ STATE_TTL('s' = '1h') */ k, COUNT(*), SUM(v) FROM s GROUP BY k;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 3), (TIMESTAMP '2024-05-01 10:00:00', 'b', 1);
--> 1 | p | a | 0 | 1 | 3
--> 1 | p | b | 0 | 1 | 1
--> 2 | p | a | 0 | 1 | 3
--> 2 | p | b | 0 | 1 | 1
--> 4 | p | 1 | 0 | 2
--> 5 | p | a | 0
--> 5 | p | b | 0

-- Exactly an hour later is not more than an hour later.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 'a', 5), (TIMESTAMP '2024-05-01 11:00:00.001', 'b', 7);
--> 1 | p | a | 1 | 1 | 3
--> 1 | p | a | 2 | 2 | 8
--> 1 | p | b | 0 | 1 | 7
--> 2 | p | a | 2 | 2 | 8
--> 2 | p | b | 0 | 1 | 7
--> 3 | p | a | 0 | 2
--> 4 | p | 2 | 0 | 1
--> 5 | p | b | 0

-- Two lives of A in one step. An upsert needs the last one only.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:00:00', 'a', 1), (TIMESTAMP '2024-05-01 13:30:00', 'a', 2), (TIMESTAMP '2024-05-01 15:00:00', 'a', 4);
--> 1 | p | a | 0 | 2 | 3
--> 1 | p | a | 0 | 1 | 4
--> 2 | p | a | 0 | 1 | 4
--> 3 | p | a | 0 | 2
--> 4 | p | 1 | 1 | 2
--> 4 | p | 1 | 2 | 3
--> 4 | p | 2 | 1 | 1
--> 4 | p | 2 | 2 | 2
--> 5 | p | a | 0
--> 5 | p | a | 0

-- One that goes on, and one that begins.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 15:10:00', 'a', 6), (TIMESTAMP '2024-05-01 17:00:00', 'a', 9);
--> 1 | p | a | 1 | 1 | 4
--> 1 | p | a | 2 | 2 | 10
--> 1 | p | a | 0 | 1 | 9
--> 2 | p | a | 0 | 1 | 9
--> 3 | p | a | 0 | 2
--> 4 | p | 2 | 1 | 2
--> 4 | p | 2 | 2 | 3
--> 5 | p | a | 0

-- A bound makes the state smaller, and changes nothing else.
!bound s '2024-05-01 20:00:00'
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 20:00:00', 'b', 2), (TIMESTAMP '2024-05-01 20:30:00', 'b', 2);
--> 1 | p | b | 0 | 2 | 4
--> 2 | p | b | 0 | 2 | 4
--> 3 | p | b | 0 | 2
--> 4 | p | 2 | 1 | 3
--> 4 | p | 2 | 2 | 4
--> 5 | p | b | 0

SELECT * FROM t ORDER BY k;
--> 7 | a | 1 | 9
--> 7 | b | 2 | 4

-- In order of ROWTIME, no two of these rows are more than an hour apart. The bound is 10:50, then 12:30.
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a'), (TIMESTAMP '2024-05-01 11:20:00', 'a'), (TIMESTAMP '2024-05-01 10:50:00', 'a');
--> 6 | p | a | 0 | 2
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 13:00:00', 'b');
--> 6 | p | a | 1 | 2
--> 6 | p | a | 2 | 3
