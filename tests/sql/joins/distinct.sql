-- GROUP BY without functions, and DISTINCT, on either side of a join: equal rows of a window count once, whenever they come. Pairs come
-- out when both sides have come into the window, and rows without a match when the other side has left it.
-- restart between any two lines in the long form
-- date 2006-09-11
-- unordered 1 2 3 4 5
CREATE STREAM people (id INTEGER NOT NULL, name VARCHAR(10));
CREATE STREAM auctions (seller INTEGER);

SELECT STREAM /*+ PARTITIONS(1) */ p.rowtime, p.id, p.name
FROM (SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, id, name FROM people GROUP BY FLOOR(rowtime TO HOUR), id, name) AS p
JOIN (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, seller FROM auctions) AS a
  ON p.id = a.seller AND p.rowtime = a.rowtime;

SELECT STREAM /*+ PARTITIONS(1) */ p.rowtime, p.id, a.seller
FROM (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, id, name FROM people) AS p
LEFT JOIN (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, seller FROM auctions) AS a
  ON p.id = a.seller AND p.rowtime = a.rowtime;

-- Groups that differ in a column that is not asked for are not equal: they are aggregated first, and come when their hour is over for
-- both streams.
SELECT STREAM /*+ PARTITIONS(1) */ p.rowtime, p.id
FROM (SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, id FROM people GROUP BY FLOOR(rowtime TO HOUR), id, name) AS p
JOIN (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, seller FROM auctions) AS a
  ON p.id = a.seller AND p.rowtime = a.rowtime;

-- The same by the ends of the windows: as ROWTIME, and as a column beside the ROWTIME that is not listed.
SELECT STREAM /*+ PARTITIONS(1) */ p.rowtime, p.id, p.name
FROM (SELECT STREAM FLOOR(rowtime TO HOUR) + INTERVAL '1' HOUR AS rowtime, id, name FROM people
      GROUP BY FLOOR(rowtime TO HOUR), id, name) AS p
JOIN (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) + INTERVAL '1' HOUR AS rowtime, seller FROM auctions) AS a
  ON p.id = a.seller AND p.rowtime = a.rowtime;
SELECT STREAM /*+ PARTITIONS(1) */ p.ending, p.id, p.name
FROM (SELECT STREAM TUMBLE_END(rowtime, INTERVAL '1' HOUR) AS ending, id, name FROM people
      GROUP BY TUMBLE(rowtime, INTERVAL '1' HOUR), id, name) AS p
JOIN (SELECT STREAM window_end, seller FROM TABLE(TUMBLE(TABLE auctions, DESCRIPTOR(rowtime), INTERVAL '1' HOUR))
      GROUP BY window_start, window_end, seller) AS a
  ON p.id = a.seller AND p.ending = a.window_end;

!producer P
INSERT INTO people VALUES (TIMESTAMP '2006-09-11 10:05:00', 1, 'Ann'), (TIMESTAMP '2006-09-11 10:06:00', 1, 'Ann'),
  (TIMESTAMP '2006-09-11 10:10:00', 2, NULL), (TIMESTAMP '2006-09-11 10:20:00', 2, NULL), (TIMESTAMP '2006-09-11 10:30:00', 5, 'Eve'),
  (TIMESTAMP '2006-09-11 10:31:00', 5, 'Eve'), (TIMESTAMP '2006-09-11 10:32:00', 1, 'Bob'), (TIMESTAMP '2006-09-11 11:05:00', 1, 'Ann');
!producer A
INSERT INTO auctions VALUES (TIMESTAMP '2006-09-11 10:30:00', 1), (TIMESTAMP '2006-09-11 10:31:00', 1),
  (TIMESTAMP '2006-09-11 10:40:00', 2), (TIMESTAMP '2006-09-11 10:50:00', NULL);
--> 1 | 10:00:00 | 1 | Ann
--> 1 | 10:00:00 | 2 |
--> 1 | 10:00:00 | 1 | Bob
--> 2 | 10:00:00 | 1 | 1
--> 2 | 10:00:00 | 2 | 2
--> 2 | 10:00:00 | 1 | 1
--> 4 | 11:00:00 | 1 | Ann
--> 4 | 11:00:00 | 2 |
--> 4 | 11:00:00 | 1 | Bob
--> 5 | 11:00:00 | 1 | Ann
--> 5 | 11:00:00 | 2 |
--> 5 | 11:00:00 | 1 | Bob
INSERT INTO auctions VALUES (TIMESTAMP '2006-09-11 10:55:00', 1), (TIMESTAMP '2006-09-11 10:58:00', 2);
INSERT INTO auctions VALUES (TIMESTAMP '2006-09-11 11:30:00', 1), (TIMESTAMP '2006-09-11 11:31:00', 3);
--> 1 | 11:00:00 | 1 | Ann
--> 2 | 10:00:00 | 5 |
--> 2 | 11:00:00 | 1 | 1
--> 3 | 10:00:00 | 1
--> 3 | 10:00:00 | 2
--> 3 | 10:00:00 | 1
--> 4 | 12:00:00 | 1 | Ann
--> 5 | 12:00:00 | 1 | Ann
!producer P
INSERT INTO people VALUES (TIMESTAMP '2006-09-11 11:40:00', 3, 'Kim'), (TIMESTAMP '2006-09-11 11:50:00', 1, 'Ann'),
  (TIMESTAMP '2006-09-11 11:51:00', 3, 'Kim');
--> 1 | 11:00:00 | 3 | Kim
--> 2 | 11:00:00 | 3 | 3
--> 4 | 12:00:00 | 3 | Kim
--> 5 | 12:00:00 | 3 | Kim
