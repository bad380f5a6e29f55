-- What is wrong with the arguments of TUMBLE, HOP and SESSION as table functions, and where.
CREATE STREAM s (k INTEGER, ts TIMESTAMP(3)) OPTIONS (history 'all');
SELECT STREAM * FROM TUMBLE(s, TIMECOL => DESCRIPTOR(rowtime), INTERVAL '4' MINUTE);
--! 3:64 RT0120 An argument without a name follows one with a name
SELECT STREAM * FROM TUMBLE(TIMECOL => DESCRIPTOR(rowtime), SIZE => INTERVAL '4' MINUTE);
--! 5:22 RT0120 TUMBLE needs a table to read
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(rowtime), DESCRIPTOR(rowtime), SIZE => INTERVAL '4' MINUTE);
--! 7:74 RT0120 Parameter 'SIZE' is given twice
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(k), INTERVAL '4' MINUTE);
--! 9:43 RT0113 A window needs a TIMESTAMP, but column 'K' is INTEGER
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(rowtime), SIZE => 5);
--! 11:61 RT0120 SIZE of TUMBLE must be an interval
SELECT STREAM * FROM TUMBLE(s, rowtime, INTERVAL '4' MINUTE);
--! 13:32 RT0120 TIMECOL of TUMBLE must be a DESCRIPTOR of one column
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(rowtime), STEP => INTERVAL '4' MINUTE);
--! 15:53 RT0120 TUMBLE has no parameter 'STEP'
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(rowtime), INTERVAL '1' DAY, INTERVAL '1' HOUR, INTERVAL '1' HOUR);
--! 17:90 RT0120 TUMBLE takes at most 4 arguments
SELECT STREAM * FROM SESSION(s, DESCRIPTOR(rowtime), DESCRIPTOR(nok), INTERVAL '10' MINUTE);
--! 19:65 RT0112 Column 'NOK' not found in the table
SELECT STREAM * FROM SESSION(s, DESCRIPTOR(rowtime));
--! 21:22 RT0120 SESSION needs SIZE, an interval
SELECT STREAM * FROM SESSION(s, DESCRIPTOR(rowtime), k, INTERVAL '10' MINUTE);
--! 23:54 RT0120 KEY of SESSION must be a DESCRIPTOR of the columns that distinguish sessions
SELECT STREAM * FROM SESSION(TABLE s PARTITION BY k, DESCRIPTOR(rowtime), DESCRIPTOR(k), INTERVAL '10' MINUTE);
--! 25:75 RT0120 SESSION has two lists of keys: PARTITION BY and KEY
SELECT STREAM * FROM HOP(s, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE);
--! 27:22 RT0120 HOP needs SIZE, an interval
SELECT STREAM * FROM TUMBLE(s, DESCRIPTOR(rowtime), INTERVAL '0' MINUTE);
--! 29:53 RT0120 SIZE of TUMBLE must be a positive interval
SELECT STREAM * FROM HOP(s, DESCRIPTOR(rowtime), INTERVAL '-3' MINUTE, INTERVAL '1' HOUR);
--! 31:50 RT0120 SLIDE of HOP must be a positive interval
SELECT STREAM window_time FROM TUMBLE(s, DESCRIPTOR(rowtime), INTERVAL '4' MINUTE);
--! 33:15 RT0112 Column 'WINDOW_TIME' not found in any table
SELECT STREAM k FROM SESSION(s, DESCRIPTOR(ts), INTERVAL '4' MINUTE);
--! 35:22 RT0201 SESSION of a stream requires an increasing time: with column 'TS', no session would ever end
CREATE STREAM target (k INTEGER, ts TIMESTAMP(3), a TIMESTAMP(3), b TIMESTAMP(3));
CREATE PUMP p AS INSERT INTO target SELECT STREAM * FROM SESSION(s, DESCRIPTOR(rowtime), INTERVAL '4' MINUTE);
--! 38:37 RT0209 ROWTIME of a stream must increase, but SESSION returns rows in the order in which their sessions end
