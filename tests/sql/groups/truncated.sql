-- Groups by TIMESTAMP_TRUNC, DATE_TRUNC and DATETIME_TRUNC, which are FLOOR, by TUMBLE above them, and by the hours since a
-- time. Values by hand; 2024-05-05 is a Sunday, 2024-05-06 a Monday.
CREATE STREAM sales (ROWTIME TIMESTAMP(3) NOT NULL, units INTEGER) OPTIONS (history 'all');

-- Query 1
SELECT STREAM TIMESTAMP_TRUNC(ROWTIME, DAY) AS d, SUM(units) AS units FROM sales GROUP BY TIMESTAMP_TRUNC(ROWTIME, DAY);
-- Query 2: units within a day, which Calcite's DATE_TRUNC does not take.
SELECT STREAM DATE_TRUNC(ROWTIME, HOUR) AS h, SUM(units) AS units FROM sales GROUP BY DATE_TRUNC(ROWTIME, HOUR);
-- Query 3: weeks that begin on Sundays.
SELECT STREAM TIMESTAMP_TRUNC(ROWTIME, WEEK) AS w, SUM(units) AS units FROM sales GROUP BY TIMESTAMP_TRUNC(ROWTIME, WEEK);
-- Query 4: and on Mondays.
SELECT STREAM TIMESTAMP_TRUNC(ROWTIME, ISOWEEK) AS w, SUM(units) AS units FROM sales GROUP BY TIMESTAMP_TRUNC(ROWTIME, ISOWEEK);
-- Query 5
SELECT STREAM DATETIME_TRUNC(ROWTIME, MONTH) AS m, SUM(units) AS units FROM sales GROUP BY DATETIME_TRUNC(ROWTIME, MONTH);
-- Query 6
SELECT STREAM TUMBLE_START(DATE_TRUNC(ROWTIME, MINUTE), INTERVAL '12' HOUR) AS since, SUM(units) AS units
FROM sales GROUP BY TUMBLE(DATE_TRUNC(ROWTIME, MINUTE), INTERVAL '12' HOUR);
-- Query 7: the hours since 2024-05-05 12:00; the hour 0 has two hours, as those before it are cut off towards 0.
SELECT STREAM CAST((ROWTIME - TIMESTAMP '2024-05-05 12:00:00') HOUR AS INTEGER) AS h, SUM(units) AS units
FROM sales GROUP BY CAST((ROWTIME - TIMESTAMP '2024-05-05 12:00:00') HOUR AS INTEGER);
-- Query 8: windows over groups are ordered by the time that is truncated.
SELECT STREAM TIMESTAMP_TRUNC(ROWTIME, DAY) AS d, SUM(SUM(units)) OVER (ROWS UNBOUNDED PRECEDING) AS total
FROM sales GROUP BY TIMESTAMP_TRUNC(ROWTIME, DAY);

INSERT INTO sales VALUES
  (TIMESTAMP '2024-05-04 23:59:00', 1), (TIMESTAMP '2024-05-05 11:30:00', 2), (TIMESTAMP '2024-05-05 12:59:59.999', 4);
--> 1 | 2024-05-04 00:00:00 | 1
--> 2 | 2024-05-04 23:00:00 | 1
--> 2 | 2024-05-05 11:00:00 | 2
--> 3 | 2024-04-28 00:00:00 | 1
--> 6 | 2024-05-04 12:00:00 | 1
--> 6 | 2024-05-05 00:00:00 | 2
--> 7 | -12 | 1
--> 8 | 2024-05-04 00:00:00 | 1
!bound sales '2024-05-05 13:00:00'
--> 2 | 2024-05-05 12:00:00 | 4
--> 7 | 0 | 6
!bound sales '2024-05-06 00:00:00'
--> 1 | 2024-05-05 00:00:00 | 6
--> 4 | 2024-04-29 00:00:00 | 7
--> 6 | 2024-05-05 12:00:00 | 4
--> 8 | 2024-05-05 00:00:00 | 7
!bound sales '2024-06-01 00:00:00'
--> 3 | 2024-05-05 00:00:00 | 6
--> 5 | 2024-05-01 00:00:00 | 7

SELECT TIMESTAMP_TRUNC(ROWTIME, ISOWEEK) AS w, TIMESTAMP_TRUNC(ROWTIME, WEEK(TUESDAY)) AS t, units FROM sales ORDER BY units;
--> 9 | 2024-04-29 00:00:00 | 2024-04-30 00:00:00 | 1
--> 9 | 2024-04-29 00:00:00 | 2024-04-30 00:00:00 | 2
--> 9 | 2024-04-29 00:00:00 | 2024-04-30 00:00:00 | 4

SELECT STREAM TIMESTAMP_TRUNC(ROWTIME, ISOYEAR) AS y, COUNT(*) AS c FROM sales GROUP BY TIMESTAMP_TRUNC(ROWTIME, ISOYEAR);
--! 52:1 RT0900 not supported yet: grouping a stream by a monotonic expression that cannot be followed back to the clock of its rows
