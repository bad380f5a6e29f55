-- Numbers of partitions that cannot be, and statements that have none.
CREATE STREAM s (n INTEGER) OPTIONS (history 'all');
CREATE STREAM t (n INTEGER);
SELECT STREAM /*+ PARTITIONS(0) */ n FROM s;
--! 4:15 RT0625 PARTITIONS takes a number from 1 to 4096
SELECT STREAM /*+ PARTITIONS(4097) */ n FROM s;
--! 6:15 RT0625 PARTITIONS takes a number from 1 to 4096
SELECT STREAM /*+ PARTITIONS(2, 3) */ n FROM s;
--! 8:15 RT0625 PARTITIONS takes a number from 1 to 4096
SELECT STREAM /*+ PARTITIONS */ n FROM s;
--! 10:15 RT0625 PARTITIONS takes a number from 1 to 4096
SELECT /*+ PARTITIONS(2) */ n FROM s;
--! 12:8 RT0625 PARTITIONS applies only to a streaming query
INSERT INTO t SELECT /*+ PARTITIONS(2) */ n FROM s;
--! 14:22 RT0625 PARTITIONS applies only to a streaming query
CREATE PUMP p OPTIONS (partitions 0) AS INSERT INTO t SELECT STREAM n FROM s;
--! 16:24 RT0311 partitions is a number from 1 to 4096, not '0'
CREATE PUMP p OPTIONS (partitions 'two') AS INSERT INTO t SELECT STREAM n FROM s;
--! 18:24 RT0311 partitions is a number from 1 to 4096, not 'two'
CREATE PUMP p OPTIONS (partition 2) AS INSERT INTO t SELECT STREAM n FROM s;
--! 20:24 RT0310 A pump has no option 'partition'
CREATE PUMP p OPTIONS (partitions 2) AS INSERT INTO t SELECT STREAM /*+ PARTITIONS(3) */ n FROM s;
--! 22:69 RT0310 The number of partitions is given twice: in OPTIONS, and by this hint
