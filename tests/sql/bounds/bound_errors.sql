-- Bounds never go back: not the producer's own, and not below the stream's. The same bound twice is no error.
CREATE STREAM S (v INTEGER);
!producer P1
!bound S '2006-09-11 12:00:00'
!bound S '2006-09-11 12:00:00'
!bound S '2006-09-11 11:59:59.999'
--! 6:1 RT0501 The bound of stream 'S' cannot go back from 2006-09-11 12:00:00.000 to 2006-09-11 11:59:59.999 for producer 'P1'
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:30:00', 1);
!producer P2
!bound S '2006-09-11 12:29:00'
--! 10:1 RT0501 The bound of stream 'S' cannot go back from 2006-09-11 12:30:00.000 to 2006-09-11 12:29:00.000 for producer 'P2'
!bound S '2006-09-11 12:30:00'
!bound V '2006-09-11 12:30:00'
--! 13:1 RT0312 Object 'V' does not exist
CREATE TABLE T (a INTEGER);
!bound T '2006-09-11 12:30:00'
--! 16:1 RT0415 'T' is a table; only named streams have producers and a bound
!producer P1 P2
--! 18:1 RT0406 !producer is written as: !producer [NAME]
!detach
--! 20:1 RT0406 !detach is written as: !detach NAME
!detach P1 P2
--! 22:1 RT0406 !detach is written as: !detach NAME
