-- Calls of one function in Python with other arguments: each has its own, also those whose bytes have the same hash, as 1 and
-- 7936 (31 * 256) do, or 'Aa' and 'BB'.
-- date 2015-02-15
CREATE STREAM s (k VARCHAR, v INTEGER) OPTIONS (history 'all');
CREATE FUNCTION counted (input TABLE, every_n INTEGER) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE PYTHON AS 'process_functions:counted';

SELECT STREAM * FROM counted(TABLE s PARTITION BY k, 1);

INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1);
--> 1 | 10:00:00 | a | 1 | 1

SELECT STREAM * FROM counted(TABLE s PARTITION BY k, 7936);

INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:01:00', 'b', 2);
--> 1 | 10:01:00 | b | 1 | 2

SELECT k, n, latest FROM counted(TABLE s PARTITION BY k, 7936);
