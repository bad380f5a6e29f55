-- Groups by the clocks of a time zone, which are set forward and back. Berlin's went from 02:00 to 03:00 on 2024-03-31, and
-- from 03:00 back to 02:00 on 2024-10-27 (01:00 UTC). Values by hand.
-- unordered 2
CREATE STREAM sales (ROWTIME TIMESTAMP(3) NOT NULL, city VARCHAR(10), units INTEGER);

CREATE VIEW berlin AS
SELECT STREAM ROWTIME, FROM_UTC_TIMESTAMP(ROWTIME, 'Europe/Berlin') AS shown, city, units FROM sales;

-- Query 1: by local day.
SELECT STREAM FLOOR(FROM_UTC_TIMESTAMP(ROWTIME, 'Europe/Berlin') TO DAY) AS berlin_day, SUM(units) AS units
FROM sales
GROUP BY FLOOR(FROM_UTC_TIMESTAMP(ROWTIME, 'Europe/Berlin') TO DAY);

-- Query 2: the same as a DATE, and by city.
SELECT STREAM CAST(shown AS DATE) AS berlin_date, city, COUNT(*) AS c, COUNT(DISTINCT units) AS d
FROM berlin
GROUP BY CAST(shown AS DATE), city;

-- Query 3: by local half hour; the hour that the clocks show twice makes two half hours, not four.
SELECT STREAM TUMBLE_START(shown, INTERVAL '30' MINUTE) AS half, SUM(units) AS units
FROM berlin
GROUP BY TUMBLE(shown, INTERVAL '30' MINUTE);

-- Query 4: two days of them, every day.
SELECT STREAM HOP_START(shown, INTERVAL '1' DAY, INTERVAL '2' DAY) AS since, SUM(units) AS units
FROM berlin
GROUP BY HOP(shown, INTERVAL '1' DAY, INTERVAL '2' DAY);

-- Query 5: a running total that starts again at midnight.
SELECT STREAM shown, SUM(units) OVER (PARTITION BY FLOOR(shown TO DAY) ORDER BY ROWTIME ROWS UNBOUNDED PRECEDING) AS today
FROM berlin;

-- Query 6: groups of groups.
SELECT STREAM FLOOR(berlin_day TO MONTH) AS berlin_month, MAX(units) AS best
FROM (SELECT STREAM FLOOR(shown TO DAY) AS berlin_day, SUM(units) AS units FROM berlin GROUP BY FLOOR(shown TO DAY))
GROUP BY FLOOR(berlin_day TO MONTH);

INSERT INTO sales VALUES
  (TIMESTAMP '2024-10-25 21:59:00', 'a', 1), (TIMESTAMP '2024-10-25 22:00:00', 'a', 2),
  (TIMESTAMP '2024-10-26 21:30:00', 'b', 3), (TIMESTAMP '2024-10-26 22:00:00', 'a', 4);
--> 1 | 2024-10-25 00:00:00 | 1
--> 1 | 2024-10-26 00:00:00 | 5
--> 2 | 2024-10-25 | a | 1 | 1
--> 2 | 2024-10-26 | a | 1 | 1
--> 2 | 2024-10-26 | b | 1 | 1
--> 3 | 2024-10-25 23:30:00 | 1
--> 3 | 2024-10-26 00:00:00 | 2
--> 3 | 2024-10-26 23:30:00 | 3
--> 4 | 2024-10-24 00:00:00 | 1
--> 4 | 2024-10-25 00:00:00 | 6
--> 5 | 2024-10-25 23:59:00 | 1
--> 5 | 2024-10-26 00:00:00 | 2
--> 5 | 2024-10-26 23:30:00 | 5
--> 5 | 2024-10-27 00:00:00 | 4
--> bound 1 2024-10-27 00:00:00
INSERT INTO sales VALUES
  (TIMESTAMP '2024-10-27 00:10:00', 'b', 5), (TIMESTAMP '2024-10-27 00:40:00', 'a', 6),
  (TIMESTAMP '2024-10-27 01:05:00', 'b', 7);
--> 3 | 2024-10-27 00:00:00 | 4
--> 5 | 2024-10-27 02:10:00 | 9
--> 5 | 2024-10-27 02:40:00 | 15
--> 5 | 2024-10-27 02:05:00 | 22
--> bound 3 2024-10-27 02:00:00
INSERT INTO sales VALUES
  (TIMESTAMP '2024-10-27 01:30:00', 'b', 8), (TIMESTAMP '2024-10-27 22:59:00', 'a', 9);
--> 3 | 2024-10-27 02:00:00 | 12
--> 3 | 2024-10-27 02:30:00 | 14
--> 5 | 2024-10-27 02:30:00 | 30
--> 5 | 2024-10-27 23:59:00 | 39
--> bound 3 2024-10-27 23:30:00
INSERT INTO sales VALUES (TIMESTAMP '2024-10-27 23:00:00', 'b', 10);
--> 1 | 2024-10-27 00:00:00 | 39
--> 2 | 2024-10-27 | a | 3 | 3
--> 2 | 2024-10-27 | b | 3 | 3
--> 3 | 2024-10-27 23:30:00 | 9
--> 4 | 2024-10-26 00:00:00 | 44
--> 5 | 2024-10-28 00:00:00 | 10
!bound sales '2024-10-31 23:00:00'
--> 1 | 2024-10-28 00:00:00 | 10
--> 2 | 2024-10-28 | b | 1 | 1
--> 3 | 2024-10-28 00:00:00 | 10
--> 4 | 2024-10-27 00:00:00 | 49
--> 4 | 2024-10-28 00:00:00 | 10
--> 6 | 2024-10-01 00:00:00 | 39
!bound sales '2024-11-01 23:00:00'
--> bound 1 2024-11-02 00:00:00
--> bound 4 2024-11-01 00:00:00
