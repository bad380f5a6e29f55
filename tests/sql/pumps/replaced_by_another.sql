-- One pump takes over from another: what the first has written, and the second writes from then on, is each row once.
-- date 2024-05-01
-- steps matter
CREATE STREAM orders (amount INTEGER) OPTIONS (history 'all');
CREATE STREAM totals (amount BIGINT) OPTIONS (history 'all');
CREATE STREAM shadow (amount BIGINT) OPTIONS (history 'all');
CREATE PUMP p STARTED AS INSERT INTO totals
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(amount) AS amount FROM orders GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM * FROM totals;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:10:00', 5), (TIMESTAMP '2024-05-01 11:05:00', 7);
--> 1 | 10:00:00 | 5
CREATE PUMP p2 STARTED AS INSERT INTO shadow SELECT /*+ FROM_EARLIEST */ STREAM FLOOR(rowtime TO HOUR) AS rowtime,
  SUM(amount * 2) AS amount FROM orders GROUP BY FLOOR(rowtime TO HOUR);
-- The hour of 11:00 is in the state of both.
ALTER PUMP p REPLACE WITH p2;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 11:20:00', 4), (TIMESTAMP '2024-05-01 12:05:00', 9);
--> 1 | 11:00:00 | 22
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 13:00:00', 1);
--> 1 | 12:00:00 | 18
--> bound totals 13:00:00
ALTER PUMP p2 STOP;
--! 21:12 RT0111 Pump 'P2' not found
SELECT rowtime, amount FROM totals ORDER BY rowtime;
--> 2 | 10:00:00 | 5
--> 2 | 11:00:00 | 22
--> 2 | 12:00:00 | 18
SELECT rowtime, amount FROM shadow ORDER BY rowtime;
--> 3 | 10:00:00 | 10

-- Results that change: the tables exchange their rows. Rows that are read by key are there once before and after.
CREATE TABLE counts (amount INTEGER PRIMARY KEY, n BIGINT);
CREATE TABLE counts2 (amount INTEGER PRIMARY KEY, n BIGINT);
CREATE PUMP c STARTED AS INSERT INTO counts
  SELECT /*+ FROM_EARLIEST */ STREAM amount, COUNT(*) FROM orders WHERE amount < 6 GROUP BY amount;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 13:10:00', 5);
CREATE PUMP c2 STARTED AS INSERT INTO counts2
  SELECT /*+ FROM_EARLIEST */ STREAM amount, COUNT(*) * 10 FROM orders WHERE amount < 8 GROUP BY amount;
ALTER PUMP c REPLACE WITH c2;
SELECT amount, n FROM counts ORDER BY amount;
--> 4 | 1 | 10
--> 4 | 4 | 10
--> 4 | 5 | 20
--> 4 | 7 | 10
SELECT amount, n FROM counts2 ORDER BY amount;
--> 5 | 1 | 1
--> 5 | 4 | 1
--> 5 | 5 | 2
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 13:20:00', 7);
SELECT amount, n FROM counts WHERE amount = 7;
--> 6 | 7 | 20
SELECT amount, n FROM counts2 WHERE amount = 7;

-- The changes of two results are those of neither, so their tables exchange their rows as well.
CREATE TABLE log1 (op TINYINT, amount INTEGER, n BIGINT);
CREATE TABLE log2 (op TINYINT, amount INTEGER, n BIGINT);
CREATE VIEW result1 AS SELECT amount, n, SUM(CASE WHEN op IN (0, 2) THEN 1 ELSE -1 END) AS times FROM log1 GROUP BY amount, n;
CREATE VIEW result2 AS SELECT amount, n, SUM(CASE WHEN op IN (0, 2) THEN 1 ELSE -1 END) AS times FROM log2 GROUP BY amount, n;
CREATE PUMP l STARTED AS INSERT INTO log1 SELECT /*+ FROM_EARLIEST */ STREAM op, payload.*
  FROM TO_CHANGELOG((SELECT amount, COUNT(*) AS n FROM orders WHERE amount = 7 GROUP BY amount));
CREATE PUMP l2 STARTED AS INSERT INTO log2 SELECT /*+ FROM_EARLIEST */ STREAM op, payload.*
  FROM TO_CHANGELOG((SELECT amount, COUNT(*) * 10 AS n FROM orders WHERE amount = 7 GROUP BY amount));
ALTER PUMP l REPLACE WITH l2;
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 13:30:00', 7);
SELECT * FROM result1 WHERE times <> 0;
--> 8 | 7 | 30 | 1
SELECT * FROM result2 WHERE times <> 0;
--> 9 | 7 | 2 | 1
