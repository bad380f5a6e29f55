-- What ON_ERROR takes, and where.
CREATE STREAM s (a INTEGER, b INTEGER);
CREATE STREAM t (q INTEGER);
CREATE TABLE u (a INTEGER);
CREATE PUMP p OPTIONS (on_error 'ignore') AS INSERT INTO t SELECT STREAM rowtime, a / b FROM s;
--! 5:24 RT0311 on_error is fail, skip or null, not 'ignore'
CREATE PUMP p OPTIONS (on_error 'skip') AS INSERT INTO t SELECT /*+ ON_ERROR('skip') */ STREAM rowtime, a / b FROM s;
--! 7:65 RT0310 What becomes of errors is given twice: in OPTIONS, and by this hint
SELECT /*+ ON_ERROR('ignore') */ STREAM a / b AS q FROM s;
--! 9:8 RT0343 ON_ERROR takes 'fail', 'skip' or 'null'
SELECT /*+ ON_ERROR('skip') */ a FROM u;
--! 11:8 RT0343 ON_ERROR applies only to a streaming query
