-- What people write without thinking of the standard. By hand.
-- date 2024-05-01

CREATE TABLE t (id INTEGER, name VARCHAR(10), at_time TIMESTAMP(3), lines ROW(a INTEGER, b VARCHAR(5)) ARRAY);
INSERT INTO t VALUES
  (1, 'a', TIMESTAMP '2024-05-01 10:00:00', ARRAY[ROW(1, 'x')]), (2, 'a', TIMESTAMP '2024-05-01 10:30:00', NULL),
  (3, 'b', TIMESTAMP '2024-05-02 00:00:00', NULL);

SELECT name, COUNT(*) FROM t GROUP BY 1 ORDER BY 1;
--> 1 | a | 2
--> 1 | b | 1
SELECT COUNT(*), UPPER(name) AS n, MAX(id) FROM t GROUP BY 2 HAVING COUNT(*) > 1;
--> 2 | 2 | A | 2
SELECT id::VARCHAR(2) || '!', -id::DECIMAL(3, 1), at_time::DATE = DATE '2024-05-01' FROM t WHERE '2'::INTEGER = id;
--> 3 | 2! | -2.0 | TRUE
SELECT NOW() = CURRENT_TIMESTAMP, RANDOM() BETWEEN 0 AND 1 FROM t WHERE id = 1;
--> 4 | TRUE | TRUE
SELECT lines[1].b FROM t WHERE id = 1;
--> 5 | x
SELECT (MAX(at_time) - MIN(at_time)) HOUR FROM t;
--> 6 | PT14H
SELECT MAX(at_time) - MIN(at_time) FROM t;
--! 22:8 RT0113 Cannot apply '-' to arguments of type '<TIMESTAMP(3)> - <TIMESTAMP(3)>'. Supported form(s): '<NUMERIC> - <NUMERIC>' or '<DATETIME_INTERVAL> - <DATETIME_INTERVAL>' or '<DATETIME> - <DATETIME_INTERVAL>'
SELECT FROM_UTC_TIMESTAMP(at_time, 'Europe/Berlin'), TO_UTC_TIMESTAMP(at_time, 'Asia/Kolkata') FROM t WHERE id = 1;
--> 7 | 12:00:00 | 04:30:00
