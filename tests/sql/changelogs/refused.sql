-- Changelogs that cannot be.
-- date 2015-02-15

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, v INTEGER);

-- Two groups with the same K would be one row.
SELECT STREAM * FROM TO_CHANGELOG((SELECT k, v, COUNT(*) AS c FROM s GROUP BY k, v), on_key => DESCRIPTOR(k));
--! 8:22 RT0215 Several rows can be equal in the columns of on_key (K), so they cannot say which row a change is of
SELECT * FROM TO_CHANGELOG(t, on_key => DESCRIPTOR(v));
--! 10:15 RT0215 Several rows can be equal in the columns of on_key (V), so they cannot say which row a change is of
SELECT STREAM * FROM TO_CHANGELOG(s, on_key => DESCRIPTOR(k));
--! 12:22 RT0215 Several rows can be equal in the columns of on_key (K), so they cannot say which row a change is of
SELECT STREAM * FROM TO_CHANGELOG((SELECT COUNT(*) AS c FROM s), on_key => DESCRIPTOR(k));
--! 14:87 RT0112 Column 'K' not found in the table

-- Without TO_CHANGELOG, rows would have to be final.
SELECT STREAM k, COUNT(*) AS c FROM s GROUP BY k;
--! 18:39 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
