-- Changelogs that cannot be.
-- date 2015-02-15

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);

-- Two groups with the same K would be one row.
SELECT STREAM * FROM TO_CHANGELOG((SELECT k, v, COUNT(*) AS c FROM s GROUP BY k, v), on_key => DESCRIPTOR(k));
--! 7:22 RT0215 Several rows can be equal in the columns of on_key (K), so they cannot say which row a change is of
SELECT STREAM * FROM TO_CHANGELOG(s, on_key => DESCRIPTOR(k));
--! 9:22 RT0215 Several rows can be equal in the columns of on_key (K), so they cannot say which row a change is of
SELECT STREAM * FROM TO_CHANGELOG((SELECT COUNT(*) AS c FROM s), on_key => DESCRIPTOR(k));
--! 11:87 RT0112 Column 'K' not found in the table

-- A join without an equality would compare all rows with all rows; NOT IN of columns that can be NULL does.
CREATE STREAM r (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
SELECT STREAM * FROM TO_CHANGELOG((SELECT s.k FROM s JOIN r ON s.v < r.v));
--! 16:54 RT0205 Cannot join two whole streams without an equality: every row of one would be compared with every row of the other
SELECT STREAM * FROM TO_CHANGELOG((SELECT s.k FROM s, r));
--! 18:53 RT0205 Cannot join two whole streams without an equality: every row of one would be compared with every row of the other
-- Its rows have no time in order.
SELECT STREAM * FROM TO_CHANGELOG((SELECT FLOOR(s.rowtime TO HOUR) AS h, MEDIAN(s.v) AS m FROM s JOIN r ON s.k = r.k GROUP BY FLOOR(s.rowtime TO HOUR)));
--! 21:1 RT0900 not supported yet: MEDIAN in a result that changes

-- Without TO_CHANGELOG, rows would have to be final.
SELECT STREAM k, COUNT(*) AS c FROM s GROUP BY k;
--! 25:39 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
-- A pump needs to know which row of the table a change is of.
CREATE TABLE bag (k VARCHAR(10), n BIGINT);
CREATE TABLE t (k VARCHAR(10), n BIGINT, short VARCHAR(5), g INTEGER, PRIMARY KEY (k));
CREATE TABLE short (k VARCHAR(5) PRIMARY KEY, n BIGINT);
CREATE TABLE pair (k VARCHAR(10), g INTEGER DEFAULT 0, n BIGINT, PRIMARY KEY (k, g));
CREATE PUMP p AS INSERT INTO bag SELECT STREAM k, COUNT(*) FROM s GROUP BY k;
--! 32:67 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
CREATE PUMP p AS INSERT INTO t (k, n) SELECT STREAM k, COUNT(*) FROM s GROUP BY k, v;
--! 34:39 RT0215 Several rows of the result can be equal in the PRIMARY KEY of 'T' (K): no unique key of the query is known
CREATE PUMP p AS INSERT INTO t (k, g) SELECT STREAM k, v FROM s GROUP BY k, v;
--! 36:39 RT0215 Several rows of the result can be equal in the PRIMARY KEY of 'T' (K): the unique key of the query is (K, V)
CREATE PUMP p AS INSERT INTO short SELECT STREAM k, COUNT(*) FROM s GROUP BY k;
--! 38:36 RT0215 The unique key of the query (K) is converted to other types in 'SHORT', so several of its rows could be equal in the PRIMARY KEY (K)
CREATE PUMP p AS INSERT INTO pair (k, n) SELECT STREAM k, COUNT(*) FROM s GROUP BY k;
--! 40:42 RT0215 The result changes, and the INSERT omits G of the PRIMARY KEY of 'PAIR', so its rows cannot be found again

-- Aggregates that nothing can take rows back from, and rows that are not a stream.
SELECT STREAM * FROM TO_CHANGELOG((SELECT k, ARG_MAX(v, v) AS m FROM s GROUP BY k));
--! 44:1 RT0900 not supported yet: ARG_MAX in a result that changes
SELECT STREAM * FROM TO_CHANGELOG((SELECT k FROM s UNION SELECT k FROM (VALUES ('a')) AS x (k)));
--! 46:1 RT0900 not supported yet: a set operation of a stream and rows that are not a stream
