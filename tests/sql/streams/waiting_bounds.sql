-- The bound of a query is never ahead of a row that still waits in it. Values by hand.
-- date 2024-10-27
CREATE STREAM orders (ROWTIME TIMESTAMP(3) NOT NULL, k INTEGER, units INTEGER);

-- Query 1: rows wait for the end of their hour.
SELECT STREAM ROWTIME, units FROM orders ORDER BY FLOOR(ROWTIME TO HOUR), units;
-- Query 2: for that of the hour before half past.
SELECT STREAM ROWTIME, units FROM orders ORDER BY FLOOR(ROWTIME + INTERVAL '30' MINUTE TO HOUR), units;
-- Query 3: until the hour that ends with them is over.
SELECT STREAM ROWTIME, units FROM orders ORDER BY CEIL(ROWTIME TO HOUR), units;
-- Query 4: for the next row of the same k, however long.
SELECT STREAM ROWTIME, units, LEAD(units) OVER (PARTITION BY k ORDER BY ROWTIME) AS following FROM orders;
-- Query 5: until clocks in Berlin show no earlier time; they are set back at 01:00 UTC.
SELECT STREAM ROWTIME, units FROM orders ORDER BY FROM_UTC_TIMESTAMP(ROWTIME, 'Europe/Berlin');
-- Query 6: for nothing.
SELECT STREAM ROWTIME + INTERVAL '1' HOUR AS ROWTIME, units FROM orders;

INSERT INTO orders VALUES (TIMESTAMP '2024-10-27 00:10:00', 1, 9), (TIMESTAMP '2024-10-27 00:20:00', 2, 8);
--> 6 | 01:10:00 | 9
--> 6 | 01:20:00 | 8
!bound orders '2024-10-27 00:40:00'
--> 2 | 00:20:00 | 8
--> 2 | 00:10:00 | 9
--> bound orders 00:40:00
--> bound 1 00:00:00
--> bound 2 00:30:00
--> bound 3 00:00:00
--> bound 4 none
--> bound 5 none
--> bound 6 01:40:00
INSERT INTO orders VALUES (TIMESTAMP '2024-10-27 01:15:00', 1, 7);
--> 1 | 00:20:00 | 8
--> 1 | 00:10:00 | 9
--> 3 | 00:20:00 | 8
--> 3 | 00:10:00 | 9
--> 4 | 00:10:00 | 9 | 7
--> 5 | 00:10:00 | 9
--> 6 | 02:15:00 | 7
--> bound 1 01:00:00
--> bound 2 00:30:00
--> bound 3 01:00:00
!bound orders '2024-10-27 02:00:00.001'
--> 1 | 01:15:00 | 7
--> 2 | 01:15:00 | 7
--> 3 | 01:15:00 | 7
--> 5 | 01:15:00 | 7
--> 5 | 00:20:00 | 8
--> bound 1 02:00:00
--> bound 2 01:30:00
--> bound 3 02:00:00
--> bound 4 none
--> bound 5 none
--> bound 6 03:00:00.001
