-- Seed 002: a cascade of three pumps. Each forwards rows and bounds: where a filter takes all rows away the bound still goes
-- through, and closes the group at the far end.
-- date 2006-09-11
CREATE STREAM bids (ticker VARCHAR(10), shares INTEGER);
CREATE STREAM big (ticker VARCHAR(10), shares INTEGER) OPTIONS (history 'all');
CREATE STREAM later (ticker VARCHAR(10), shares INTEGER);
CREATE STREAM totals (shares BIGINT);
CREATE PUMP p1 STARTED AS INSERT INTO big SELECT STREAM rowtime, ticker, shares FROM bids WHERE shares >= 100;
CREATE PUMP p2 STARTED AS INSERT INTO later (shares, rowtime, ticker)
  SELECT STREAM shares, rowtime + INTERVAL '1' HOUR AS rowtime, ticker FROM big;
CREATE PUMP p3 STARTED AS INSERT INTO totals
  SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, SUM(shares) AS shares FROM later GROUP BY FLOOR(rowtime TO MINUTE);
SELECT STREAM * FROM totals;

INSERT INTO bids VALUES
  (TIMESTAMP '2006-09-11 10:00:10', 'A', 100),
  (TIMESTAMP '2006-09-11 10:00:20', 'B', 50),
  (TIMESTAMP '2006-09-11 10:00:30', 'C', 200);
--> bound big 10:00:30
--> bound later 11:00:30
--> bound totals none
INSERT INTO bids VALUES (TIMESTAMP '2006-09-11 10:01:00', 'D', 10);
--> 1 | 11:00:00 | 300
--> bound big 10:01:00
--> bound later 11:01:00
--> bound totals 11:01:00
INSERT INTO bids VALUES (TIMESTAMP '2006-09-11 10:04:59', 'E', 1000);
!bound bids '2006-09-11 10:05:00'
--> 1 | 11:04:00 | 1000
--> bound totals 11:05:00
--> bound 1 11:05:00
SELECT * FROM big;
--> 2 | 10:00:10 | A | 100
--> 2 | 10:00:30 | C | 200
--> 2 | 10:04:59 | E | 1000
