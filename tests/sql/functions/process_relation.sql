-- Over a relation, a table function has a state for each partition, also if the key is of a type of fixed size.
-- date 2015-02-15
CREATE STREAM s (k INTEGER, j VARCHAR, d DECIMAL(10, 2), v INTEGER) OPTIONS (history 'all');
CREATE FUNCTION counted (input TABLE, every_n INTEGER DEFAULT 1) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:counted';

INSERT INTO s (rowtime, k, j, d, v) VALUES
  (TIMESTAMP '2015-02-15 10:00:00', 1, 'a', 1.5, 10), (TIMESTAMP '2015-02-15 10:01:00', 2, 'a', 2.5, 20), (TIMESTAMP '2015-02-15 10:02:00', 1, 'b', 1.5, 30),
  (TIMESTAMP '2015-02-15 10:03:00', NULL, 'b', NULL, 40), (TIMESTAMP '2015-02-15 10:04:00', NULL, 'b', NULL, 50), (TIMESTAMP '2015-02-15 10:05:00', 2, 'a', 2.5, 60),
  (TIMESTAMP '2015-02-15 10:06:00', 1, 'a', 1.5, 70);

SELECT k, n, latest FROM counted(TABLE s PARTITION BY k) ORDER BY rowtime;
--> 1 | 1 | 1 | 10
--> 1 | 2 | 1 | 20
--> 1 | 1 | 2 | 30
--> 1 |  | 1 | 40
--> 1 |  | 2 | 50
--> 1 | 2 | 2 | 60
--> 1 | 1 | 3 | 70
SELECT k, j, n FROM counted(TABLE s PARTITION BY (k, j)) ORDER BY rowtime;
--> 2 | 1 | a | 1
--> 2 | 2 | a | 1
--> 2 | 1 | b | 1
--> 2 |  | b | 1
--> 2 |  | b | 2
--> 2 | 2 | a | 2
--> 2 | 1 | a | 2
SELECT d, k, n FROM counted(TABLE s PARTITION BY (d, k)) ORDER BY rowtime;
--> 3 | 1.50 | 1 | 1
--> 3 | 2.50 | 2 | 1
--> 3 | 1.50 | 1 | 2
--> 3 |  |  | 1
--> 3 |  |  | 2
--> 3 | 2.50 | 2 | 2
--> 3 | 1.50 | 1 | 3
