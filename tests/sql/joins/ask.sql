-- Seed 002: each trade with the latest ask. Of asks of one time the last one counts, and a trade of that time meets it.
-- restart between any two lines in the long form
-- date 2006-09-11
CREATE STREAM trades (ticker VARCHAR(4), price INTEGER);
CREATE STREAM asks (ticker VARCHAR(4), price INTEGER);

SELECT STREAM t.price AS trade_price, s.price AS ask_price
FROM trades OVER (RANGE CURRENT ROW) AS t JOIN asks OVER (ROWS CURRENT ROW) AS s ON TRUE;

-- The three latest asks, as far as they are of the same paper; a trade without one comes out all the same.
SELECT STREAM t.rowtime, t.price AS trade_price, s.price AS ask_price
FROM trades AS t LEFT JOIN asks OVER (ROWS 2 PRECEDING) AS s ON s.ticker = t.ticker;

-- The latest of both whenever one of them changes; an ask without a trade, when the next one takes its place.
SELECT STREAM ROWTIME, t.price AS trade_price, s.price AS ask_price
FROM trades OVER (ROWS CURRENT ROW) AS t RIGHT JOIN asks OVER (ROWS CURRENT ROW) AS s ON s.ticker = t.ticker;

!producer A
INSERT INTO asks VALUES (TIMESTAMP '2006-09-11 10:00:00', 'IBM', 90), (TIMESTAMP '2006-09-11 10:01:00', 'IBM', 91),
  (TIMESTAMP '2006-09-11 10:01:00', 'ORCL', 20), (TIMESTAMP '2006-09-11 10:05:00', 'IBM', 92);
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 09:59:00', 'IBM', 80), (TIMESTAMP '2006-09-11 10:00:30', 'IBM', 81),
  (TIMESTAMP '2006-09-11 10:01:00', 'IBM', 82), (TIMESTAMP '2006-09-11 10:05:00', 'ORCL', 21);
-- An ask of 10:05 may still come, and take the place of that of 10:05 for the trade of 10:05.
--> 1 | 81 | 90
--> 1 | 82 | 20
--> 2 | 09:59:00 | 80 |
--> 2 | 10:00:30 | 81 | 90
--> 2 | 10:01:00 | 82 | 90
--> 2 | 10:01:00 | 82 | 91
--> 3 | 10:00:00 | 80 | 90
--> 3 | 10:00:30 | 81 | 90
--> 3 | 10:01:00 | | 91
-- The ask of ORCL, whose place that of 10:05 has taken: no trade of before 10:05 can come.
--> 3 | 10:05:00 | | 20
!producer A
-- It takes the place of that of IBM at once, which has never been in the window.
INSERT INTO asks VALUES (TIMESTAMP '2006-09-11 10:05:00', 'ORCL', 22);
--> 3 | 10:05:00 | | 92
!bound asks '2006-09-11 10:06:00'
--> 1 | 21 | 22
--> 2 | 10:05:00 | 21 | 20
--> 2 | 10:05:00 | 21 | 22
!producer T
!bound trades '2006-09-11 10:06:00'
--> 3 | 10:05:00 | 21 | 22
