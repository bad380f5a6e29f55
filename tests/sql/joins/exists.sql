-- EXISTS and IN between streams: orders with a trade in the ten minutes after them as soon as that is known, and orders without one
-- when the ten minutes are over. A row comes out once, however many rows it matches.
-- restart between any two lines in the long form
-- date 2006-09-11
CREATE STREAM orders (id INTEGER NOT NULL, amount INTEGER);
CREATE STREAM trades (id INTEGER, amount INTEGER);

SELECT STREAM /*+ PARTITIONS(1) */ o.rowtime, o.id FROM orders AS o WHERE EXISTS (SELECT * FROM trades AS t
  WHERE t.id = o.id AND t.amount > 5 AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE);

SELECT STREAM /*+ PARTITIONS(1) */ o.rowtime, o.id FROM orders AS o WHERE o.amount > 0 AND NOT EXISTS (SELECT * FROM trades AS t
  WHERE t.id = o.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE);

SELECT STREAM t.rowtime, t.id FROM trades AS t WHERE t.id IN (SELECT o.id FROM orders AS o
  WHERE o.rowtime BETWEEN t.rowtime - INTERVAL '10' MINUTE AND t.rowtime);

-- Not of a trade without an id: nobody knows whether it is in.
SELECT STREAM t.rowtime, t.id FROM trades AS t WHERE t.id NOT IN (SELECT o.id FROM orders AS o
  WHERE o.rowtime BETWEEN t.rowtime - INTERVAL '10' MINUTE AND t.rowtime);

!producer O
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 10:00:00', 1, 100), (TIMESTAMP '2006-09-11 10:01:00', 2, 50),
  (TIMESTAMP '2006-09-11 10:02:00', 3, 0), (TIMESTAMP '2006-09-11 10:20:00', 4, 10);
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:00:30', 1, 3), (TIMESTAMP '2006-09-11 10:01:00', 1, 60),
  (TIMESTAMP '2006-09-11 10:02:00', 1, 40), (TIMESTAMP '2006-09-11 10:03:00', NULL, 40), (TIMESTAMP '2006-09-11 10:04:00', 9, 1);
--> 1 | 10:00:00 | 1
--> 3 | 10:00:30 | 1
--> 3 | 10:01:00 | 1
--> 3 | 10:02:00 | 1
--> 4 | 10:04:00 | 9
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 10:12:30', 3, 9);
--> 2 | 10:01:00 | 2
--> 4 | 10:12:30 | 3
!bound trades '2006-09-11 11:00:00'
--> 2 | 10:20:00 | 4
!producer O
!bound orders '2006-09-11 11:00:00'

-- Trades with any order in the minute before, of which nothing else is asked.
SELECT STREAM t.rowtime, t.id FROM trades AS t WHERE EXISTS (SELECT * FROM orders AS o
  WHERE o.rowtime BETWEEN t.rowtime - INTERVAL '1' MINUTE AND t.rowtime);
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2006-09-11 11:01:00', 1, 3), (TIMESTAMP '2006-09-11 11:03:30', 2, 3);
!producer O
INSERT INTO orders VALUES (TIMESTAMP '2006-09-11 11:00:30', 7, 3), (TIMESTAMP '2006-09-11 11:04:00', 8, 3);
--> 5 | 11:01:00 | 1
--> 4 | 11:01:00 | 1
--> 4 | 11:03:30 | 2
