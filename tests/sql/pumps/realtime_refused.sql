-- date 2024-05-01
-- In real time, each row goes on by itself: what needs others, or has to be written once, is refused.
CREATE FOREIGN STREAM a (n INTEGER) OPTIONS (connector 'kafka', servers 'broker:9092', topic 'a');
CREATE FOREIGN STREAM done (n INTEGER) OPTIONS (connector 'kafka', servers 'broker:9092', topic 'done');
CREATE FOREIGN STREAM w (rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '1' MINUTE, n INTEGER)
  OPTIONS (connector 'kafka', servers 'broker:9092', topic 'w');
CREATE FOREIGN STREAM m (n INTEGER MONOTONIC) OPTIONS (connector 'kafka', servers 'broker:9092', topic 'm');
CREATE FOREIGN TABLE k (n INTEGER PRIMARY KEY)
  OPTIONS (connector 'kafka', servers 'broker:9092', topic 'k', format 'upsert-json');
CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'files', path 'inbox');
CREATE STREAM s (n INTEGER);
CREATE TABLE t (n INTEGER PRIMARY KEY);
CREATE VIEW sums AS SELECT STREAM SUM(n) OVER (ORDER BY rowtime) AS n FROM a;
CREATE FUNCTION common (a INTEGER, b INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'math:gcd';
CREATE PUMP fits OPTIONS (mode 'realtime', commit_interval '1 MINUTE') AS
  INSERT INTO done SELECT STREAM n + 1 FROM a WHERE n > 0;

-- targets
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO s SELECT STREAM n FROM a;
--! 19:56 RT0347 A pump in real time cannot write to stream 'S': the warehouse takes the rows of a micro-batch together, each once
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO t SELECT STREAM n FROM a;
--! 21:56 RT0347 A pump in real time cannot write to table 'T': the warehouse takes the rows of a micro-batch together, each once
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO f SELECT STREAM n FROM a;
--! 23:56 RT0347 A pump in real time cannot write to foreign stream 'F': connector 'files' takes the rows of a micro-batch together
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO k SELECT STREAM n FROM a;
--! 25:56 RT0347 A pump in real time cannot write to foreign table 'K': its rows replace others, and those of one key are put together first
CREATE PUMP p OPTIONS (mode 'realtime') AS MERGE INTO t USING a ON t.n = a.n WHEN MATCHED THEN DELETE;
--! 27:55 RT0347 A pump in real time cannot write to table 'T': the warehouse takes the rows of a micro-batch together, each once

-- sources
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM n FROM s;
--! 31:82 RT0347 A pump in real time cannot read stream 'S': its log is read in micro-batches
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM n FROM f;
--! 33:82 RT0347 A pump in real time cannot read foreign stream 'F': connector 'files' reads in micro-batches
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM n FROM w;
--! 35:82 RT0347 A pump in real time cannot read foreign stream 'W': by the WATERMARK of its ROWTIME, rows wait for later ones
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM n FROM m;
--! 37:82 RT0347 A pump in real time cannot read foreign stream 'M': its column N is MONOTONIC, so the rows of a micro-batch are put in order first
CREATE PUMP p OPTIONS (mode 'realtime') AS
  INSERT INTO done SELECT STREAM n FROM a UNION ALL SELECT STREAM n FROM a;
--! 40:42 RT0347 A pump in real time cannot have a UNION ALL: it merges sources, of which each would wait for the others

-- queries
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done
  SELECT STREAM COUNT(*) FROM a GROUP BY FLOOR(rowtime TO HOUR);
--! 45:33 RT0347 A pump in real time cannot have a GROUP BY: it keeps rows or results until others have come
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM n FROM sums;
--! 47:82 RT0347 A pump in real time cannot have a function with OVER: it keeps rows or results until others have come
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM a.n FROM a JOIN t ON a.n = t.n;
--! 49:86 RT0347 A pump in real time cannot have a join: it reads the other rows once for each micro-batch
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done
  SELECT STREAM n FROM a WHERE rowtime > PROCTIME() - INTERVAL '1' HOUR;
--! 52:32 RT0347 A pump in real time has no CURRENT_TIMESTAMP: it is the time at which a micro-batch begins
CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done SELECT STREAM common(n, 6) FROM a;
--! 54:61 RT0347 A pump in real time cannot call function 'COMMON': rows go to Python together

-- the options
CREATE PUMP p OPTIONS (mode 'fast') AS INSERT INTO done SELECT STREAM n FROM a;
--! 58:24 RT0311 mode is microbatch or realtime, not 'fast'
CREATE PUMP p OPTIONS (mode 'realtime', commit_interval '1 SECOND') AS INSERT INTO done SELECT STREAM n FROM a;
--! 60:41 RT0311 commit_interval is a duration of 5 seconds or more, not '1 SECOND'
CREATE PUMP p OPTIONS (commit_interval '1 MINUTE') AS INSERT INTO done SELECT STREAM n FROM a;
--! 62:24 RT0310 A pump in micro-batches has no option 'commit_interval'
CREATE PUMP p AS INSERT INTO done SELECT /*+ REALTIME */ STREAM n FROM a;
--! 64:42 RT0347 The mode of a pump is an option, and no hint
SELECT /*+ REALTIME */ STREAM n FROM a;
--! 66:8 RT0347 Only a pump runs in real time

-- One pump replaces another at a place of their sources, at which a pump in real time does not stop.
CREATE PUMP other AS INSERT INTO s SELECT STREAM n FROM a;
ALTER PUMP fits REPLACE WITH other;
--! 71:30 RT0562 Pump 'FITS' runs in real time: it does not stop at a place of its source that another pump has come to
