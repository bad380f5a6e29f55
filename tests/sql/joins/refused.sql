-- Joins that could not go on, or are not there yet.
CREATE TABLE readings (taken TIMESTAMP(3) LATENESS INTERVAL '10' MINUTE, n INTEGER);
CREATE STREAM s (n INTEGER);
SELECT STREAM a.n, b.n AS m FROM readings AS a JOIN readings AS b ON a.taken = b.taken;
--! 4:1 RT0900 not supported yet: a join of rows whose time can be NULL
SELECT STREAM * FROM s OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS a JOIN s AS b ON a.n = b.n;
--! 6:1 RT0209 ROWTIME must be increasing, and the column given may be PT1H behind that of earlier rows: rows come out in order of the time when both sides are in their windows
SELECT STREAM a.n FROM s AS a JOIN s AS b ON a.n = b.n AND a.rowtime < b.rowtime;
--! 8:31 RT0205 Cannot join two whole streams: every row of both would have to be kept for ever
CREATE TABLE products (n INTEGER);
SELECT STREAM * FROM s AS a FULL JOIN products AS b ON a.n = b.n;
--! 11:34 RT0210 Cannot give the rows of a table that no row of the stream matches: the stream has no end, so a match may always come
SELECT STREAM * FROM products AS a LEFT JOIN s AS b ON a.n = b.n;
--! 13:41 RT0210 Cannot give the rows of a table that no row of the stream matches: the stream has no end, so a match may always come
