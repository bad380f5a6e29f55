-- Joins that could not go on, or are not there yet.
CREATE TABLE readings (taken TIMESTAMP(3) LATENESS INTERVAL '10' MINUTE, n INTEGER);
CREATE STREAM s (n INTEGER);
SELECT STREAM a.n, b.n AS m FROM readings AS a JOIN readings AS b ON a.taken = b.taken;
--! 4:1 RT0900 not supported yet: a join of rows whose time can be NULL (a row without a time has no place in their order: declare the column NOT NULL)
SELECT STREAM * FROM s OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS a JOIN s AS b ON a.n = b.n;
--! 6:1 RT0209 ROWTIME must be increasing, and the column given may be PT1H behind that of earlier rows: rows come out in order of the time when both sides are in their windows
SELECT STREAM a.n FROM s AS a JOIN s AS b ON a.n = b.n AND a.rowtime < b.rowtime;
--! 8:31 RT0205 Cannot join two whole streams: a row of the right one ('S') can be any time later than its match in the left one ('S')
CREATE TABLE products (n INTEGER);
SELECT STREAM * FROM s AS a FULL JOIN products AS b ON a.n = b.n;
--! 11:34 RT0210 Cannot return the unmatched rows of a table: the stream has no end, so a match may still arrive
SELECT STREAM * FROM products AS a LEFT JOIN s AS b ON a.n = b.n;
--! 13:41 RT0210 Cannot return the unmatched rows of a table: the stream has no end, so a match may still arrive
SELECT STREAM a.n FROM s AS a WHERE EXISTS (SELECT * FROM s AS b WHERE b.n = a.n);
--! 15:37 RT0205 Cannot join two whole streams: every row of both would have to be kept forever
-- A ROWTIME out of order stays one above a table, and above a query for rows of one.
SELECT STREAM a.rowtime FROM s OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS a JOIN s AS b ON a.n = b.n JOIN products AS p ON p.n = a.n;
--! 18:1 RT0209 ROWTIME must be increasing, and the column given may be PT1H behind that of earlier rows: rows come out in order of the time when both sides are in their windows
CREATE STREAM t (ts TIMESTAMP(3) NOT NULL, n INTEGER);
SELECT STREAM ts AS rowtime, n FROM t WHERE EXISTS (SELECT * FROM products AS p WHERE p.n = t.n);
--! 21:1 RT0209 ROWTIME must be an increasing function of the input's ROWTIME, and the column given is not
-- Order fulfilment as seed 002 has it: HAVING uses a column that is not grouped.
SELECT STREAM FLOOR(a.rowtime TO HOUR) AS rowtime, SUM(b.n) AS traded FROM s AS a
LEFT JOIN s OVER (RANGE INTERVAL '1' HOUR FOLLOWING) AS b ON a.n = b.n
GROUP BY FLOOR(a.rowtime TO HOUR)
HAVING a.n <> SUM(b.n);
--! 27:8 RT0115 Expression 'A.N' is not being grouped
-- Sub-queries over streams that are values.
SELECT STREAM n, EXISTS (SELECT * FROM s AS b WHERE b.n > a.n) AS e FROM s AS a;
--! 30:25 RT0900 not supported yet: a sub-query over a stream in an expression (join it in FROM; EXISTS and IN run as conditions of WHERE that AND combines)
SELECT STREAM n FROM s AS a WHERE n > 3 OR EXISTS (SELECT * FROM s AS b WHERE b.n > a.n);
--! 32:51 RT0900 not supported yet: a sub-query over a stream in an expression (join it in FROM; EXISTS and IN run as conditions of WHERE that AND combines)
SELECT STREAM n FROM s AS a WHERE n > (SELECT COUNT(*) FROM s AS b WHERE b.n > a.n AND b.rowtime < a.rowtime);
--! 34:39 RT0900 not supported yet: a sub-query over a stream in an expression (join it in FROM; EXISTS and IN run as conditions of WHERE that AND combines)
SELECT STREAM n FROM s AS a WHERE n > (SELECT COUNT(*) FROM s AS b WHERE b.n = a.n);
--! 36:39 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
-- Windows that a join cannot have, over streams and relations; what is on no input of a join of streams has none.
CREATE STREAM h (n INTEGER) OPTIONS (history 'all');
SELECT STREAM a.n FROM s OVER (PARTITION BY n ROWS CURRENT ROW) AS a JOIN t AS b ON a.n = b.n;
--! 40:32 RT0214 A window of ROWS in FROM cannot have PARTITION BY: it holds the latest rows of the whole stream
SELECT a.n FROM h OVER (PARTITION BY n ROWS CURRENT ROW) AS a JOIN h AS b ON a.n = b.n;
--! 42:25 RT0214 A window of ROWS in FROM cannot have PARTITION BY: it holds the latest rows of the whole stream
SELECT STREAM a.n FROM s OVER (PARTITION BY m RANGE CURRENT ROW) AS a JOIN t AS b ON a.n = b.n;
--! 44:45 RT0112 Column 'M' not found in any table
SELECT STREAM a.n FROM s OVER (ORDER BY n ROWS CURRENT ROW) AS a JOIN t AS b ON a.n = b.n;
--! 46:32 RT0214 A window in FROM goes by ROWTIME, the order of the stream, and by nothing else
SELECT a.n FROM h OVER w AS a JOIN h AS b ON a.n = b.n WINDOW w AS (ORDER BY rowtime DESC ROWS CURRENT ROW);
--! 48:69 RT0214 A window in FROM goes by ROWTIME, the order of the stream, and by nothing else
SELECT STREAM a.n FROM s OVER (ROWS CURRENT ROW EXCLUDE TIES) AS a JOIN t AS b ON a.n = b.n;
--! 50:49 RT0214 A window in FROM cannot have EXCLUDE: its base time is that of no row in particular
SELECT STREAM a.n FROM s OVER (RANGE INTERVAL '1' HOUR PRECEDING DISALLOW PARTIAL) AS a JOIN t AS b ON a.n = b.n;
--! 52:31 RT0214 A window in FROM cannot have DISALLOW PARTIAL: rows match as soon as they are in their windows
SELECT STREAM a.n FROM s OVER () AS a JOIN t AS b ON a.n = b.n;
--! 54:31 RT0214 A window in FROM needs a frame
SELECT STREAM rowtime, a.n FROM s OVER (RANGE UNBOUNDED PRECEDING) AS a JOIN t AS b ON a.n = b.n;
--! 56:47 RT0214 A window in FROM cannot be UNBOUNDED: every row would be in it forever
SELECT STREAM a.n FROM s OVER (RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND INTERVAL '2' HOUR PRECEDING) AS a JOIN t AS b ON a.n = b.n;
--! 58:31 RT0214 A window in FROM cannot end before it begins
SELECT STREAM * FROM s OVER (ROWS 1 PRECEDING);
--! 60:22 RT0214 A window in FROM limits a join of streams, and these rows are not joined as they are
SELECT STREAM s.n FROM s JOIN products OVER (ROWS CURRENT ROW) AS p ON s.n = p.n;
--! 62:31 RT0214 A window in FROM goes by ROWTIME, and these rows have none in order
SELECT STREAM s.n FROM s OVER (ROWS CURRENT ROW) JOIN products AS p ON s.n = p.n;
--! 64:24 RT0214 A window in FROM limits a join of streams, and the other input is a table
SELECT STREAM a.n FROM s OVER (ROWS 3 FOLLOWING) AS a JOIN t AS b ON a.n = b.n;
--! 66:24 RT0900 not supported yet: a window of ROWS in FROM that does not end at CURRENT ROW, as no time limits how far its rows are away
SELECT a.n FROM h OVER (RANGE INTERVAL '1' HOUR FOLLOWING) AS a JOIN h OVER (ROWS 3 PRECEDING) AS b ON a.n = b.n;
--! 68:17 RT0900 not supported yet: a window of several ROWS beside one of RANGE that spans some time, as each row has a window of its own there
-- Limits from one side only, or by times of which nothing is known; a stream that is limited by none.
SELECT STREAM a.n FROM t AS a JOIN s AS b ON a.n = b.n AND b.rowtime BETWEEN a.rowtime AND a.ts;
--! 71:31 RT0205 Cannot join two whole streams: a row of the right one ('S') can be any time later than its match in the left one ('T')
SELECT STREAM a.n FROM s AS a JOIN t AS b ON a.n = b.n AND NOT (b.rowtime > a.rowtime OR b.ts < a.rowtime);
--! 73:31 RT0205 Cannot join two whole streams: a row of the right one ('T') can be any time earlier than its match in the left one ('S')
SELECT STREAM a.n FROM s AS a JOIN t AS b ON b.rowtime = a.rowtime OR b.ts = a.rowtime;
--! 75:31 RT0205 Cannot join two whole streams: every row of both would have to be kept forever
SELECT STREAM a.n FROM s AS a, t AS b, s AS c WHERE b.rowtime = c.rowtime AND c.n = a.n;
--! 77:30 RT0205 Cannot join two whole streams: every row of both would have to be kept forever
SELECT STREAM a.n FROM s AS a JOIN t AS b ON TIMESTAMPDIFF(SECOND, a.rowtime, b.rowtime) <> 0;
--! 79:31 RT0205 Cannot join two whole streams: every row of both would have to be kept forever
SELECT STREAM a.n FROM s AS a ASOF JOIN t AS b MATCH_CONDITION a.rowtime >= b.rowtime + INTERVAL '1' HOUR ON a.n = b.n;
--! 81:64 RT0110 ASOF JOIN MATCH_CONDITION must be a comparison between columns from the two inputs
SELECT STREAM rowtime FROM s JOIN t USING (n);
--! 83:30 RT0205 Cannot join two whole streams: every row of both would have to be kept forever
