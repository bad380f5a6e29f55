-- Joins of rows that are grouped, and joins below GROUP BY: what is grouped by a minute is as far as the last minute that is
-- over, and what stands above the join goes by the bound of the join. By hand.
-- date 2024-05-01
CREATE STREAM orders (id INTEGER);
CREATE STREAM trades (id INTEGER);

-- Orders of each minute with their trades of the next hour.
SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, COUNT(*) AS n, SUM(o.c) AS c FROM (
    SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, id, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO MINUTE), id) AS o
JOIN trades AS t ON t.id = o.id AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR
GROUP BY FLOOR(o.rowtime TO HOUR);

-- Trades with the orders of each minute of the next hour.
SELECT STREAM FLOOR(t.rowtime TO HOUR) AS rowtime, COUNT(*) AS n, SUM(o.c) AS c FROM trades AS t JOIN (
    SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, id, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO MINUTE), id) AS o
ON t.id = o.id AND o.rowtime BETWEEN t.rowtime AND t.rowtime + INTERVAL '1' HOUR
GROUP BY FLOOR(t.rowtime TO HOUR);

-- Minutes of orders with the hours of trades in which they lie.
SELECT STREAM o.rowtime, o.id, t.c FROM (
    SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, id, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO MINUTE), id) AS o
JOIN (SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, id, COUNT(*) AS c FROM trades GROUP BY FLOOR(rowtime TO HOUR), id) AS t
ON t.id = o.id AND t.rowtime > o.rowtime - INTERVAL '1' HOUR AND t.rowtime <= o.rowtime;

!producer O
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:10', 1), (TIMESTAMP '2024-05-01 10:00:50', 1), (TIMESTAMP '2024-05-01 10:30:00', 2);
!producer T
INSERT INTO trades VALUES (TIMESTAMP '2024-05-01 10:00:00', 2), (TIMESTAMP '2024-05-01 10:59:00', 1), (TIMESTAMP '2024-05-01 11:00:30', 1), (TIMESTAMP '2024-05-01 11:10:00', 2);
!producer O
!bound orders '2024-05-01 11:00:00'
--> 3 | 10:00:00 | 1 | 1
--> 3 | 10:30:00 | 2 | 1
-- The orders up to 11:00 need the trades up to 12:00.
!producer T
!bound trades '2024-05-01 11:59:59.999'
!bound trades '2024-05-01 12:00:00'
--> 1 | 10:00:00 | 2 | 3
-- Trades before 11:00 can meet orders before 12:00.
!producer O
!bound orders '2024-05-01 11:59:59.999'
!bound orders '2024-05-01 12:00:00'
--> 2 | 10:00:00 | 1 | 1
