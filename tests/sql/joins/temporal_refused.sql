-- Joins with versions that have none, or at times that cannot be.
CREATE STREAM rates (currency VARCHAR(3) PRIMARY KEY, rate DECIMAL(10, 2)) OPTIONS (history 'all');
CREATE STREAM a (k VARCHAR(3), n INTEGER) OPTIONS (history 'all');
CREATE STREAM b (k VARCHAR(3), n INTEGER) OPTIONS (history 'all');
CREATE TABLE t (k VARCHAR(3), ts TIMESTAMP(3));
CREATE VIEW v AS SELECT STREAM rowtime, currency, rate * 2 AS rate FROM rates;
SELECT STREAM a.rowtime, r.rate FROM a JOIN b ON a.k = b.k AND b.rowtime BETWEEN a.rowtime AND a.rowtime + INTERVAL '1' HOUR JOIN rates FOR SYSTEM_TIME AS OF b.rowtime AS r ON r.currency = a.k;
--! 7:159 RT0212 The time at which a stream is joined with a table must follow from its ROWTIME: other times may go back, so every version would have to be kept forever
SELECT STREAM a.rowtime, r.rate FROM a JOIN b OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS b ON a.k = b.k JOIN rates FOR SYSTEM_TIME AS OF b.rowtime AS r ON r.currency = a.k;
--! 9:139 RT0212 The time at which a stream is joined with a table must follow from its ROWTIME: other times may go back, so every version would have to be kept forever
SELECT STREAM a.n FROM a JOIN rates FOR SYSTEM_TIME AS OF r.rowtime AS r ON r.currency = a.k;
--! 11:59 RT0124 The time at which a table is read cannot be one of its own columns
SELECT STREAM a.n FROM a JOIN rates FOR SYSTEM_TIME AS OF a.k AS r ON r.currency = a.k;
--! 13:59 RT0124 The time at which a table is read must be a TIMESTAMP
SELECT STREAM a.n FROM a RIGHT JOIN rates FOR SYSTEM_TIME AS OF a.rowtime AS r ON r.currency = a.k;
--! 15:32 RT0210 Cannot return the unmatched rows of a table with versions: only a row of the left side selects a version
SELECT STREAM a.n FROM a JOIN v FOR SYSTEM_TIME AS OF a.rowtime AS r ON r.currency = a.k;
--! 17:26 RT0211 A view has no versions of its rows
SELECT STREAM a.n FROM a NATURAL JOIN rates FOR SYSTEM_TIME AS OF a.rowtime AS r;
--! 19:39 RT0124 NATURAL and USING cannot be used with a table as of each row's time
SELECT STREAM a.n FROM a WHERE a.k IN (SELECT r.currency FROM t JOIN rates FOR SYSTEM_TIME AS OF t.ts AS r ON r.currency = t.k);
--! 21:65 RT0900 not supported yet: versions of a stream for the rows of a table, in a streaming query
SELECT STREAM a.n FROM a JOIN rates FOR SYSTEM_TIME AS OF a.rowtime AS r ON FALSE;
--! 23:1 RT0106 Cannot stream results of a query with no streaming inputs: a condition is FALSE for all rows
SELECT STREAM a.n FROM a LEFT JOIN rates FOR SYSTEM_TIME AS OF a.rowtime AS r ON r.currency = a.k AND EXISTS (SELECT * FROM t WHERE t.k = r.currency);
--! 25:64 RT0900 not supported yet: a sub-query in ON of an outer join with a table as of each row's time
SELECT STREAM a.n FROM a JOIN SYS_BOOT.MGMT.SAVED_TRACE FOR SYSTEM_TIME AS OF a.rowtime AS r ON TRUE;
--! 27:26 RT0211 'SYS_BOOT.MGMT.SAVED_TRACE' is a system table, which has no history
SELECT STREAM a.n FROM a, rates FOR SYSTEM_TIME AS OF a.rowtime AS r WHERE r.currency = a.k AND FALSE;
--! 29:1 RT0106 Cannot stream results of a query with no streaming inputs: a condition is FALSE for all rows
