-- STATE_TTL of first rows: a row more than an hour after the one before it in its partition begins the partition anew. The first rows
-- until then stay: they are never retracted. The rows are by hand.
-- unordered 1
-- unordered 2
-- unordered 3
-- unordered 4
-- unordered 5
-- unordered 6
-- unordered 7
-- unordered 8
-- steps matter

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE STREAM late (rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '30' MINUTE, k VARCHAR(10), v INTEGER);

-- 1: with several rows of a partition, rows of several lives are equal in its number, so they are inserted and deleted.
SELECT STREAM 'p', payload.k, op, payload.n, payload.v FROM TO_CHANGELOG((SELECT k, n, v FROM (
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM s) WHERE n <= 2));
-- 2: the last row of each key. 3: upserts of it. 4: the first one, which no later row of its life replaces.
SELECT STREAM 'p', payload.k, op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1));
SELECT STREAM 'p', payload.k, op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('o' = '60 min') */ k, v FROM s AS o QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1),
  on_key => DESCRIPTOR(k));
SELECT STREAM 'p', payload.k, op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) = 1));
-- 5: what is above it counts the rows that stay.
SELECT STREAM 'p', payload.v, op, payload.lives FROM TO_CHANGELOG((SELECT v, COUNT(*) AS lives FROM (
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) = 1) GROUP BY v));
-- 6: peers.
SELECT STREAM 'p', payload.k, op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY RANK() OVER (PARTITION BY k ORDER BY v DESC) = 1));
-- 7: rows out of order wait for the bound, so it does not matter which comes first.
SELECT STREAM 'p', payload.k, op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('late' = '1h') */ k, v FROM late QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1));
-- 8: without PARTITION BY, all rows are one partition.
SELECT STREAM 'p', op, payload.v FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ v FROM s QUALIFY ROW_NUMBER() OVER (ORDER BY v DESC, k) = 1));

CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, v INTEGER);
CREATE PUMP p STARTED AS INSERT INTO t
  SELECT STREAM /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 3), (TIMESTAMP '2024-05-01 10:00:00', 'b', 1);
--> 1 | p | a | 0 | 1 | 3
--> 1 | p | b | 0 | 1 | 1
--> 2 | p | a | 0 | 3
--> 2 | p | b | 0 | 1
--> 3 | p | a | 0 | 3
--> 3 | p | b | 0 | 1
--> 4 | p | a | 0 | 3
--> 4 | p | b | 0 | 1
--> 5 | p | 3 | 0 | 1
--> 5 | p | 1 | 0 | 1
--> 6 | p | a | 0 | 3
--> 6 | p | b | 0 | 1
--> 8 | p | 0 | 3

-- Exactly an hour later is not more than an hour later.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 'a', 5), (TIMESTAMP '2024-05-01 11:00:00.001', 'b', 7);
--> 1 | p | a | 3 | 1 | 3
--> 1 | p | a | 0 | 1 | 5
--> 1 | p | a | 0 | 2 | 3
--> 1 | p | b | 0 | 1 | 7
--> 2 | p | a | 1 | 3
--> 2 | p | a | 2 | 5
--> 2 | p | b | 0 | 7
--> 3 | p | a | 2 | 5
--> 3 | p | b | 0 | 7
--> 4 | p | b | 0 | 7
--> 5 | p | 3 | 3 | 1
--> 5 | p | 5 | 0 | 1
--> 5 | p | 7 | 0 | 1
--> 6 | p | a | 3 | 3
--> 6 | p | a | 0 | 5
--> 6 | p | b | 0 | 7
--> 8 | p | 1 | 3
--> 8 | p | 2 | 7

!restart
-- Two lives of A in one step. An upsert needs the row of the last one only.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 13:00:00', 'a', 1), (TIMESTAMP '2024-05-01 13:30:00', 'a', 2), (TIMESTAMP '2024-05-01 15:00:00', 'a', 2);
--> 1 | p | a | 0 | 1 | 2
--> 1 | p | a | 0 | 2 | 1
--> 1 | p | a | 0 | 1 | 2
--> 2 | p | a | 0 | 2
--> 2 | p | a | 0 | 2
--> 3 | p | a | 0 | 2
--> 4 | p | a | 0 | 1
--> 4 | p | a | 0 | 2
--> 5 | p | 2 | 0 | 2
--> 6 | p | a | 0 | 2
--> 6 | p | a | 0 | 2
--> 8 | p | 0 | 2
--> 8 | p | 0 | 2

-- One that goes on, and one that begins.
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 15:10:00', 'a', 6), (TIMESTAMP '2024-05-01 15:20:00', 'a', 6), (TIMESTAMP '2024-05-01 17:00:00', 'a', 9);
--> 1 | p | a | 3 | 1 | 2
--> 1 | p | a | 0 | 1 | 6
--> 1 | p | a | 0 | 2 | 6
--> 1 | p | a | 0 | 1 | 9
--> 2 | p | a | 1 | 2
--> 2 | p | a | 2 | 6
--> 2 | p | a | 0 | 9
--> 3 | p | a | 0 | 9
--> 4 | p | a | 0 | 9
--> 5 | p | 2 | 1 | 2
--> 5 | p | 2 | 2 | 1
--> 5 | p | 6 | 0 | 1
--> 5 | p | 9 | 0 | 1
--> 6 | p | a | 3 | 2
--> 6 | p | a | 0 | 6
--> 6 | p | a | 0 | 6
--> 6 | p | a | 0 | 9
--> 8 | p | 1 | 2
--> 8 | p | 2 | 6
--> 8 | p | 0 | 9

-- A bound makes the state smaller, and changes nothing else.
!bound s '2024-05-01 20:00:00'
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 20:00:00', 'b', 2), (TIMESTAMP '2024-05-01 20:30:00', 'b', 3);
--> 1 | p | b | 0 | 1 | 3
--> 1 | p | b | 0 | 2 | 2
--> 2 | p | b | 0 | 3
--> 3 | p | b | 0 | 3
--> 4 | p | b | 0 | 2
--> 5 | p | 3 | 0 | 1
--> 6 | p | b | 0 | 3
--> 8 | p | 0 | 3

SELECT * FROM t ORDER BY k;
--> 9 | a | 9
--> 9 | b | 3

-- In order of ROWTIME, no two of these rows are more than an hour apart. The bound is 10:50, then 12:30.
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 1), (TIMESTAMP '2024-05-01 11:20:00', 'a', 2), (TIMESTAMP '2024-05-01 10:50:00', 'a', 3);
--> 7 | p | a | 0 | 3
INSERT INTO late VALUES (TIMESTAMP '2024-05-01 13:00:00', 'b', 4);
--> 7 | p | a | 1 | 3
--> 7 | p | a | 2 | 2
