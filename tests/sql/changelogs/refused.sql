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

-- Without TO_CHANGELOG, rows would have to be final.
SELECT STREAM k, COUNT(*) AS c FROM s GROUP BY k;
--! 15:39 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause
