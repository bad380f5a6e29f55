-- What client commands refuse.
CREATE STREAM S (n INTEGER);
INSERT INTO S (rowtime, n) VALUES (TIMESTAMP '2006-09-11 12:00:00', 1);
!bound S '2006-09-11 12:10:00'
!bound S '2006-09-11 12:09:59'
--! 5:1 RT0501 The bound of stream 'S' cannot go back from 2006-09-11 12:10:00.000 to 2006-09-11 12:09:59.000
!bound S 'noon'
--! 7:1 RT0504 'noon' is not a timestamp
!bound T '2006-09-11 12:10:00'
--! 9:1 RT0312 Object 'T' does not exist
!bound S
--! 11:1 RT0406 !bound is written as: !bound STREAM 'TIMESTAMP' [strict]
!sleep 5
--! 13:1 RT0405 Unknown client command !sleep
