-- Which pumps cannot take over from one another.
CREATE STREAM a (n INTEGER);
CREATE STREAM b (n INTEGER);
CREATE STREAM t (n INTEGER);
CREATE STREAM s (n INTEGER);
CREATE STREAM texts (x VARCHAR(10));
CREATE TABLE c1 (k INTEGER PRIMARY KEY, n BIGINT);
CREATE TABLE c2 (k INTEGER PRIMARY KEY, n BIGINT NOT NULL);
CREATE TABLE c3 (k INTEGER PRIMARY KEY, n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM n FROM a;
CREATE PUMP p2 STARTED AS INSERT INTO s SELECT STREAM n FROM b;
CREATE PUMP p3 AS INSERT INTO s SELECT STREAM n + 1 FROM a;
CREATE PUMP p4 STARTED AS INSERT INTO t SELECT STREAM n + 1 FROM a;
CREATE PUMP p5 STARTED AS INSERT INTO texts (x) SELECT STREAM 'x' FROM a;
ALTER PUMP p REPLACE WITH nobody;
--! 15:27 RT0111 Pump 'NOBODY' not found
ALTER PUMP p REPLACE WITH a;
--! 17:27 RT0313 'A' is a STREAM, not a pump
ALTER PUMP p REPLACE WITH p4;
--! 19:27 RT0562 Pump 'P4' writes to 'T' already, as 'P' does
ALTER PUMP p REPLACE WITH p5;
--! 21:27 RT0562 The query of pump 'P5' cannot write to 'T': Column 'X' not found in 'T'
ALTER PUMP p REPLACE WITH p3;
--! 23:1 RT0562 Pump 'P3' is STOPPED: both pumps have to run, to read the same rows
ALTER PUMP p REPLACE WITH p2;
--! 25:1 RT0562 Pumps 'P' and 'P2' have no position in common: one reads 'A', the other 'B'
CREATE PUMP u1 STARTED AS INSERT INTO c1 SELECT STREAM n, COUNT(*) FROM a GROUP BY n;
CREATE PUMP u2 STARTED AS INSERT INTO c2 SELECT STREAM n, COUNT(*) FROM a GROUP BY n;
CREATE PUMP u3 STARTED AS INSERT INTO c3 SELECT STREAM n, COUNT(*) FROM a GROUP BY n;
ALTER PUMP u1 REPLACE WITH u2;
--! 30:28 RT0562 Tables 'C1' and 'C2' exchange their rows, and differ in their columns, their PRIMARY KEY or their OPTIONS
CREATE PUMP reader STARTED AS INSERT INTO s SELECT STREAM a.n FROM a JOIN c3 ON c3.k = a.n;
ALTER PUMP u1 REPLACE WITH u3;
--! 33:28 RT0562 Tables 'C1' and 'C3' exchange their rows, and are used by 'READER': what these have read of them would be of other rows
CREATE MATERIALIZED VIEW v AS SELECT n, COUNT(*) AS c FROM a GROUP BY n;
ALTER PUMP p REPLACE WITH v;
--! 36:27 RT0344 Cannot REPLACE materialized view 'V': its rows are always the result of its query
