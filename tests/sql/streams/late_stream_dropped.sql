-- DROP … CASCADE of a late stream: the stream whose rows it took stays, with its rows, and counts late rows only.
CREATE STREAM refused (n INTEGER, reason VARCHAR(20));
CREATE STREAM s (n INTEGER) OPTIONS (history 'all', late_stream 'REFUSED');
CREATE PUMP p STOPPED AS INSERT INTO s SELECT STREAM n FROM refused;
SELECT STREAM * FROM s;
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 09:00:00', 2);
--> rejected S late | 2006-09-11 09:00:00 | 2
--> 1 | 2006-09-11 10:00:00 | 1
DROP STREAM refused;
--! 9:13 RT0314 'REFUSED' is used by PUMP 'P', STREAM 'S' as its late_stream
DROP STREAM refused CASCADE;
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 11:00:00', 3), (TIMESTAMP '2006-09-11 09:30:00', 4);
--> rejected S late | 2006-09-11 09:30:00 | 4
--> 1 | 2006-09-11 11:00:00 | 3
SHOW STREAMS;
--> shown S | STREAM | CREATE STREAM S (N INTEGER) OPTIONS ('history' 'all')
SELECT n FROM s;
--> 2 | 1
--> 2 | 3
