-- Outer joins of three streams: each order with its payments of ten minutes and its parcels of half an hour, if there are any.
-- date 2024-05-01
-- unordered 1 2
CREATE STREAM orders (id INTEGER);
CREATE STREAM payments (id INTEGER, paid INTEGER);
CREATE STREAM parcels (id INTEGER, parcel INTEGER);

SELECT STREAM o.rowtime, o.id, p.paid, s.parcel FROM orders AS o
LEFT JOIN payments AS p ON p.id = o.id AND p.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE
LEFT JOIN parcels AS s ON s.id = o.id AND s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '30' MINUTE;

-- The same from the right.
SELECT STREAM o.rowtime, o.id, p.paid, s.parcel FROM payments AS p
RIGHT JOIN orders AS o ON p.id = o.id AND p.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE
LEFT JOIN parcels AS s ON s.id = o.id AND s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '30' MINUTE;

!producer O
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:05:00', 2), (TIMESTAMP '2024-05-01 10:08:00', 3),
  (TIMESTAMP '2024-05-01 10:12:00', 4), (TIMESTAMP '2024-05-01 10:12:00', NULL);
!producer P
INSERT INTO payments VALUES (TIMESTAMP '2024-05-01 10:01:00', 1, 40), (TIMESTAMP '2024-05-01 10:09:00', 1, 60),
  (TIMESTAMP '2024-05-01 10:15:00.001', 2, 5), (TIMESTAMP '2024-05-01 10:16:00', NULL, 6);
!bound payments '2024-05-01 10:40:00'
!producer S
-- The parcel of order 2 comes in the last instant.
INSERT INTO parcels VALUES (TIMESTAMP '2024-05-01 10:10:00', 1, 7), (TIMESTAMP '2024-05-01 10:11:00', 3, 8),
  (TIMESTAMP '2024-05-01 10:12:00', 3, 9), (TIMESTAMP '2024-05-01 10:35:00', 2, 10), (TIMESTAMP '2024-05-01 10:39:00', NULL, 11);
-- No parcel can come to orders before 10:09 any more.
--> 1 | 10:00:00 | 1 | 40 | 7
--> 1 | 10:00:00 | 1 | 60 | 7
--> 1 | 10:05:00 | 2 | | 10
--> 1 | 10:08:00 | 3 | | 8
--> 1 | 10:08:00 | 3 | | 9
--> 2 | 10:00:00 | 1 | 40 | 7
--> 2 | 10:00:00 | 1 | 60 | 7
--> 2 | 10:05:00 | 2 | | 10
--> 2 | 10:08:00 | 3 | | 8
--> 2 | 10:08:00 | 3 | | 9
!producer O
!bound orders '2024-05-01 11:00:00'
!producer S
!bound parcels '2024-05-01 11:00:00'
--> 1 | 10:12:00 | 4 | |
--> 1 | 10:12:00 | | |
--> 2 | 10:12:00 | 4 | |
--> 2 | 10:12:00 | | |
