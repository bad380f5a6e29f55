-- Streaming views over streams and over views: a view of a view of a stream is a stream, and is read like one.
-- date 2006-09-11
-- unordered 1 2
CREATE STREAM trades (ticker VARCHAR(10), shares INTEGER);
CREATE VIEW big AS SELECT STREAM * FROM trades WHERE shares >= 100;
CREATE VIEW hourly AS
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, ticker, SUM(shares) AS shares
  FROM big GROUP BY FLOOR(rowtime TO HOUR), ticker;
CREATE VIEW busy AS SELECT STREAM rowtime, ticker, shares FROM hourly WHERE shares > 300;
SELECT STREAM * FROM hourly;
SELECT STREAM * FROM busy;
SELECT STREAM ticker FROM big;

INSERT INTO trades VALUES
  (TIMESTAMP '2006-09-11 10:00:00', 'A', 200),
  (TIMESTAMP '2006-09-11 10:10:00', 'B', 100),
  (TIMESTAMP '2006-09-11 10:20:00', 'B', 99),
  (TIMESTAMP '2006-09-11 10:30:00', 'A', 200);
--> 3 | A
--> 3 | B
--> 3 | A
-- Too small for the views, but it ends the hour.
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 11:00:00', 'C', 1);
--> 1 | 10:00:00 | A | 400
--> 1 | 10:00:00 | B | 100
--> 2 | 10:00:00 | A | 400
CREATE STREAM found (ticker VARCHAR(10), shares BIGINT);
CREATE PUMP p STARTED AS INSERT INTO found SELECT STREAM rowtime, ticker, shares FROM busy;
SELECT STREAM ticker, shares FROM found;
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 11:30:00', 'D', 301);
--> 3 | D
!bound trades '2006-09-11 12:00:00'
--> 1 | 11:00:00 | D | 301
--> 2 | 11:00:00 | D | 301
--> 4 | D | 301
