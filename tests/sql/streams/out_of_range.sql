-- Times are of the years 1 to 9999; what lies outside is refused where it comes in, and never a wrong year.
-- date 2024-05-01
CREATE STREAM s (n INTEGER);
CREATE STREAM wide (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1000000' DAY(7), n INTEGER);
CREATE TABLE t (d DATE, n INTEGER);
SELECT STREAM * FROM s;
SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, COUNT(*) AS c FROM wide GROUP BY FLOOR(rowtime TO DAY);

!bound s '9999-12-31 23:59:59.999999-12:00'
--! 9:1 RT0555 The bound '9999-12-31 23:59:59.999999-12:00' is not in the years 1 to 9999
!bound s '0001-01-01 00:00:00+00:01'
--! 11:1 RT0555 The bound '0001-01-01 00:00:00+00:01' is not in the years 1 to 9999
SELECT TIMESTAMP '12024-05-01 10:00:00' AS far;
--! 13:8 RT0110 Illegal TIMESTAMP literal '12024-05-01 10:00:00': years are 0001 to 9999
SELECT DATE '12024-05-01' AS far;
--! 15:8 RT0110 Illegal DATE literal '12024-05-01': years are 0001 to 9999
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00' + INTERVAL '9000' YEAR(4), 1);
--! 17:1 RT0555 A value of ROWTIME for 'S' is not in the years 1 to 9999
INSERT INTO s VALUES (CAST('12024-05-01 10:00:00' AS TIMESTAMP), 1);
--! 19:1 RT0555 A value of ROWTIME for 'S' is not in the years 1 to 9999
INSERT INTO t VALUES (DATE '9999-12-31' + INTERVAL '1' DAY, 1);
--! 21:1 RT0555 A value of D for 'T' is not in the years 1 to 9999
INSERT INTO t VALUES (DATE '9999-12-30' + INTERVAL '1' DAY, 1);
SELECT d FROM t;
--> 3 | 9999-12-31
UPDATE t SET d = d + INTERVAL '1' DAY;
--! 26:1 RT0555 A value of D for 'T' is not in the years 1 to 9999
SELECT TIMESTAMP '2024-05-01 10:00:00' + INTERVAL '9000' YEAR(4) AS far;
--! 28:1 RT0555 The query failed: year 11024 is out of range
CREATE STREAM far (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '3652059' DAY(7));
--! 30:59 RT0307 LATENESS of column 'ROWTIME' exceeds the 9,999 years of the range of times
CREATE STREAM far (n INTEGER) OPTIONS (history '9999999999 WEEKS');
--! 32:40 RT0311 history '9999999999 WEEKS' exceeds the 9,999 years of the range of times

-- The ends themselves, and a bound that would lie before the year 1.
INSERT INTO s VALUES (TIMESTAMP '0001-01-01 00:00:00', 1), (TIMESTAMP '9999-12-31 23:59:59.999', 2);
--> 1 | 0001-01-01 00:00:00 | 1
--> 1 | 9999-12-31 23:59:59.999 | 2
--> bound s 9999-12-31 23:59:59.999
INSERT INTO wide VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '0001-01-01 00:00:00', 2);
--> bound wide 0001-01-01 00:00:00
