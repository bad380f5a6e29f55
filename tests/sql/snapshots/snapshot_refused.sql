-- SNAPSHOT with arguments that cannot be, and of what has no history.
CREATE TABLE t (k INTEGER PRIMARY KEY, v VARCHAR(10));
CREATE STREAM s (k INTEGER) OPTIONS (history 'all');
CREATE STREAM passing (k INTEGER);
CREATE FOREIGN TABLE outside (k INTEGER) OPTIONS (connector 'files', path 'rows.csv', format 'csv');
SELECT STREAM * FROM SNAPSHOT(s);
--! 6:22 RT0102 Cannot stream a table as of a time: it does not change
SELECT STREAM * FROM s FOR SYSTEM_TIME AS OF TIMESTAMP '2024-05-01 10:00:00';
--! 8:22 RT0102 Cannot stream a table as of a time: it does not change
SELECT * FROM SNAPSHOT(passing);
--! 10:24 RT0103 Cannot convert stream 'PASSING' to a table
SELECT STREAM s.rowtime FROM s JOIN SNAPSHOT(passing) AS p ON p.k = s.k;
--! 12:46 RT0103 Cannot convert stream 'PASSING' to a table
SELECT * FROM SNAPSHOT(s, 5);
--! 14:15 RT0125 to_time of SNAPSHOT must be a TIMESTAMP, not INTEGER
SELECT * FROM SNAPSHOT(s, '2024-05-01');
--! 16:15 RT0125 to_time of SNAPSHOT must be a TIMESTAMP, not CHAR(10)
SELECT * FROM SNAPSHOT(t, CAST(NULL AS TIMESTAMP));
--! 18:15 RT0125 to_time of SNAPSHOT is NULL
SELECT * FROM SNAPSHOT(t, NOW() - INTERVAL '1' HOUR);
--! 20:15 RT0125 to_time of SNAPSHOT must be the same in each run, so it cannot depend on the clock
SELECT * FROM SNAPSHOT(input => t, from_time => CURRENT_TIMESTAMP);
--! 22:15 RT0125 from_time of SNAPSHOT must be the same in each run, so it cannot depend on the clock
SELECT * FROM SNAPSHOT(input => s, from_time => TIMESTAMP '2024-05-01 09:00:00', to_time => TIMESTAMP '2024-05-01 08:00:00');
--! 24:15 RT0125 from_time of SNAPSHOT is later than to_time
SELECT * FROM SNAPSHOT(s, k);
--! 26:27 RT0124 A table as of each row's time must be on the right of a join whose left side has these rows
SELECT * FROM SNAPSHOT(nowhere);
--! 28:24 RT0111 Object 'NOWHERE' not found
SELECT * FROM SNAPSHOT();
--! 30:15 RT0120 SNAPSHOT needs a table to read
SELECT * FROM SNAPSHOT(t, moment => TIMESTAMP '2024-05-01 08:00:00');
--! 32:27 RT0120 SNAPSHOT has no parameter 'MOMENT'
SELECT * FROM SNAPSHOT(outside, TIMESTAMP '2024-05-01 08:00:00');
--! 34:15 RT0126 'OUTSIDE' has no history: only its current rows are available
SELECT * FROM SNAPSHOT(sys_boot.mgmt.saved_trace, TIMESTAMP '2024-05-01 09:00:00');
--! 36:15 RT0126 'SYS_BOOT.MGMT.SAVED_TRACE' has no history: only its current rows are available
SELECT * FROM SNAPSHOT(input => t, input => t);
--! 38:36 RT0120 Parameter 'INPUT' is given twice
SELECT * FROM SNAPSHOT(input => t, TIMESTAMP '2024-05-01 08:00:00');
--! 40:36 RT0120 An argument without a name follows one with a name
SELECT * FROM SNAPSHOT(to_time => TIMESTAMP '2024-05-01 08:00:00');
--! 42:15 RT0120 SNAPSHOT needs a table to read
SELECT * FROM SNAPSHOT(t, RAND());
--! 44:15 RT0125 to_time of SNAPSHOT must be a TIMESTAMP, not DOUBLE
