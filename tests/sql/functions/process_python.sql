-- Table functions in Python over the rows of each partition: each second row with its number; and the values of a key up to
-- a pause of ten minutes, as a row of the time of the first of them, up to an hour back. The state of a key ends after an hour: its
-- count begins again. Without PARTITION BY there is one partition.
-- date 2015-02-15
CREATE STREAM s (k VARCHAR, v INTEGER) OPTIONS (history 'all');
CREATE FUNCTION counted (input TABLE, every_n INTEGER DEFAULT 2) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:counted';
CREATE FUNCTION idle (input TABLE, pause INTERVAL DAY TO SECOND) RETURNS TABLE (vs VARCHAR, n INTEGER)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour', delay '1 hour') AS 'process_functions:Idle';
CREATE VIEW small AS SELECT STREAM rowtime, v, k FROM s WHERE v < 100;

SELECT STREAM * FROM counted(TABLE s PARTITION BY k ORDER BY rowtime);
SELECT STREAM rowtime, n, latest FROM TABLE(counted(every_n => 3, input => TABLE small));
SELECT STREAM rowtime, k, vs, n FROM idle(TABLE s PARTITION BY k, INTERVAL '10' MINUTE) WHERE n > 1;

INSERT INTO s (rowtime, k, v) VALUES
  (TIMESTAMP '2015-02-15 10:00:00', 'a', 1), (TIMESTAMP '2015-02-15 10:01:00', 'b', 2), (TIMESTAMP '2015-02-15 10:02:00', 'a', 3),
  (TIMESTAMP '2015-02-15 10:12:00', 'a', 4), (TIMESTAMP '2015-02-15 10:12:00', 'b', 500);
--> 1 | 10:02:00 | a | 2 | 3
--> 1 | 10:12:00 | b | 2 | 500
--> 2 | 10:02:00 | 3 | 3
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 11:01:00', 'a', 6);
--> 1 | 11:01:00 | a | 4 | 6
--> 3 | 10:00:00 | a | 1+3 | 2
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 11:12:01', 'b', 7);
--> 2 | 11:12:01 | 6 | 7
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 12:20:00', 'a', 8), (TIMESTAMP '2015-02-15 12:21:00', 'b', 9);

SELECT k, n, latest FROM counted(TABLE s PARTITION BY k) ORDER BY rowtime, k;
--> 4 | a | 2 | 3
--> 4 | b | 2 | 500
--> 4 | a | 4 | 6

SELECT k, n, latest FROM counted((SELECT DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, k, 0 AS v FROM s) PARTITION BY k) ORDER BY k;
--> 5 | a | 2 | 0
--> 5 | b | 2 | 0
