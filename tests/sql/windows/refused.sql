-- What a window over a stream cannot be, with the reason.
CREATE STREAM S (k INTEGER, v INTEGER) OPTIONS (history 'all');
SELECT STREAM SUM(v) OVER (ROWS v PRECEDING) FROM S;
--! 3:33 RT0121 A window of ROWS takes a whole number
SELECT STREAM SUM(v) OVER (RANGE INTERVAL '-1' HOUR PRECEDING) FROM S;
--! 5:34 RT0121 A window of RANGE takes a non-negative constant
SELECT STREAM SUM(v) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM S;
--! 7:15 RT0206 A frame that ends UNBOUNDED FOLLOWING can never close on a stream
SELECT STREAM NTILE(2) OVER (PARTITION BY k) FROM S;
--! 9:15 RT0207 NTILE needs all the rows of a partition, but this partition is never complete
SELECT STREAM MEDIAN(v) OVER (ORDER BY rowtime) FROM S;
--! 11:15 RT0208 MEDIAN over a frame without a lower limit would have to keep every value forever
SELECT STREAM FIRST_VALUE(v) FILTER (WHERE v > 1) OVER (ROWS 1 PRECEDING) FROM S;
--! 13:15 RT0118 FILTER cannot be used with FIRST_VALUE OVER
SELECT STREAM PERCENTILE_CONT(2) WITHIN GROUP (ORDER BY v) OVER (ROWS 1 PRECEDING) FROM S;
--! 15:31 RT0118 PERCENTILE_CONT takes a constant between 0 and 1
SELECT STREAM SUM(v) OVER (ROWS 1 PRECEDING EXCLUDE CURRENT ROW) FROM S;
--! 17:45 RT0900 not supported yet: EXCLUDE in a window
SELECT STREAM COUNT(*) FROM S GROUP BY TUMBLE(rowtime, INTERVAL '2' MONTH);
--! 19:40 RT0900 not supported yet: TUMBLE by months other than 1, 3, 12 and 120 (group by FLOOR(… TO MONTH), and add the months up by OVER with a RANGE of days)
SELECT STREAM COUNT(*) FROM S GROUP BY HOP(rowtime, INTERVAL '1' MONTH, INTERVAL '3' MONTH);
--! 21:40 RT0900 not supported yet: HOP by months (group by FLOOR(… TO MONTH), and add the months up by OVER with a RANGE of days)
SELECT * FROM HOP(TABLE S, DESCRIPTOR(rowtime), INTERVAL '1' DAY, INTERVAL '3' MONTH);
--! 23:15 RT0900 not supported yet: HOP by months (group by FLOOR(… TO MONTH), and add the months up by OVER with a RANGE of days)
SELECT STREAM COUNT(*) FROM S GROUP BY SESSION(rowtime, INTERVAL '1' MONTH);
--! 25:40 RT0900 not supported yet: SESSION by months (a month has no fixed length: give its gap in days)
CREATE STREAM T (ts TIMESTAMP(3));
SELECT STREAM COUNT(*) FROM T GROUP BY SESSION(ts, INTERVAL '1' HOUR), FLOOR(rowtime TO DAY);
--! 28:31 RT0201 SESSION of a stream requires an increasing time, or no session would ever end
SELECT STREAM * FROM SESSION(T, DESCRIPTOR(ts), INTERVAL '1' HOUR);
--! 30:22 RT0201 SESSION of a stream requires an increasing time: with column 'TS', no session would ever end
SELECT STREAM * FROM S MATCH_RECOGNIZE (ORDER BY rowtime MEASURES a.v AS w PATTERN (a) DEFINE a AS a.v > 1);
--! 32:24 RT0900 not supported yet: MATCH_RECOGNIZE (compare a row with those around it by LAG, LEAD or FIRST_VALUE OVER)
