-- OPTIONS (late_stream 'NAME') is judged when the stream is created: rows that are rejected later must have somewhere to go.
CREATE STREAM refused (n INTEGER, reason VARCHAR(20));
CREATE TABLE t (n INTEGER);
CREATE VIEW v AS SELECT STREAM * FROM refused;

CREATE STREAM s (n INTEGER) OPTIONS (held_rows '10', late_stream 'REFUSE');
--! 6:54 RT0335 The late_stream 'REFUSE' does not exist
CREATE STREAM s (n INTEGER) OPTIONS (late_stream 'S');
--! 8:38 RT0337 'S' cannot be its own late_stream: a row that it rejects would come back forever
CREATE STREAM s (n INTEGER) OPTIONS (late_stream 't');
--! 10:38 RT0336 The late_stream 'T' is a TABLE, but late rows can go only to a named stream of your own
CREATE STREAM s (n INTEGER) OPTIONS (late_stream 'v');
--! 12:38 RT0336 The late_stream 'V' is a VIEW, but late rows can go only to a named stream of your own
CREATE STREAM s (n INTEGER) OPTIONS (late_stream 'SYS_BOOT.MGMT.ALL_TRACE');
--! 14:38 RT0336 The late_stream 'SYS_BOOT.MGMT.ALL_TRACE' is a system stream, but late rows can go only to a named stream of your own
CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'files', path '/nowhere', format 'json', late_stream 'REFUSED');
--! 16:97 RT0336 A foreign stream has no late_stream: each query that reads it checks its rows, and writes late ones to files

-- A circle, which only OR REPLACE can close; tables with an order are in it too.
CREATE STREAM a (n INTEGER) OPTIONS (late_stream 'refused');
CREATE STREAM b (n INTEGER) OPTIONS (late_stream 'a');
CREATE OR REPLACE STREAM refused (n INTEGER, reason VARCHAR(20)) OPTIONS (late_stream 'b');
--! 22:75 RT0337 The late_stream of 'REFUSED' leads back to it: REFUSED -> B -> A -> REFUSED

-- A column that some rejected row could not fill.
CREATE STREAM s (n BIGINT) OPTIONS (late_stream 'refused');
--! 26:37 RT0338 Column 'N' of the late_stream 'REFUSED' is INTEGER and cannot hold every BIGINT of 'S'
CREATE STREAM needs (m INTEGER NOT NULL DEFAULT 3);
CREATE STREAM s (n BIGINT) OPTIONS (late_stream 'needs');
--! 29:37 RT0338 Column 'M' of the late_stream 'NEEDS' is NOT NULL, and 'S' has no column of that name
CREATE STREAM s (m INTEGER) OPTIONS (late_stream 'needs');
--! 31:38 RT0338 Column 'M' of the late_stream 'NEEDS' is NOT NULL, and late rows of 'S' may have NULL there
CREATE STREAM shorter (name VARCHAR(10));
CREATE STREAM s (name VARCHAR(11)) OPTIONS (late_stream 'shorter');
--! 34:45 RT0338 Column 'NAME' of the late_stream 'SHORTER' is VARCHAR(10) and cannot hold every VARCHAR(11) of 'S'

CREATE STREAM number (producer INTEGER);
CREATE STREAM s (n INTEGER) OPTIONS (late_stream 'number');
--! 38:38 RT0338 Column 'PRODUCER' of the late_stream 'NUMBER' is INTEGER and cannot hold the name of a producer, a VARCHAR

-- Wider ones are right.
CREATE STREAM wider (n BIGINT, d DECIMAL(12, 2), x DOUBLE, name VARCHAR, producer VARCHAR(3), rejected_rowtime TIMESTAMP(3) NOT NULL);
CREATE STREAM s (n INTEGER, d DECIMAL(10, 2), x REAL, name CHAR(3)) OPTIONS (late_stream 'wider');

-- While it is in use it stays, and its columns stay the same; with CASCADE the option goes, and not the stream.
DROP STREAM wider;
--! 46:13 RT0314 'WIDER' is used by STREAM 'S' as its late_stream
CREATE OR REPLACE STREAM wider (n SMALLINT);
--! 48:26 RT0303 'WIDER' is used by STREAM 'S': its columns cannot be changed
!producer a-long-name
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 1, 1.25, 0.5, 'abc'), (TIMESTAMP '2006-09-11 09:00:00', 2, 2.25, 1.5, 'def');
--> rejected S late | 2006-09-11 09:00:00 | 2 | 2.25 | 1.5 | def
SELECT STREAM n, d, x, name, producer, rejected_rowtime FROM wider;
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 08:00:00', 3, 3.25, 2.5, 'ghi');
--> rejected S late | 2006-09-11 08:00:00 | 3 | 3.25 | 2.5 | ghi
--> 1 | 3 | 3.25 | 2.5 | ghi | a-l | 2006-09-11 08:00:00
