-- Variances and covariances of INTEGERs and DECIMALs, of groups and in windows: differences of millions, whose squares need more
-- digits than the numbers; covariances are no whole numbers. Values by hand.
-- date 2024-05-01
CREATE STREAM s (i INTEGER, j INTEGER, n DECIMAL(10, 3)) OPTIONS (history 'all');

SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, VAR_SAMP(i) AS s, VAR_POP(i) AS p, VARIANCE(n) AS v, COVAR_SAMP(i, j) AS cs, COVAR_POP(i, j) AS cp
FROM s GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM rowtime, VAR_SAMP(i) OVER w AS s, VAR_POP(n) OVER w AS p, COVAR_SAMP(i, j) OVER w AS c, REGR_SXX(i, j) OVER w AS xx
FROM s WINDOW w AS (ORDER BY rowtime RANGE INTERVAL '10' MINUTE PRECEDING);

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 0, 2, 0), (TIMESTAMP '2024-05-01 10:05:00', 2000000, 2, 3000000.5);
--> 2 | 10:00:00 | | 0.0000000 | | 0.0
--> 2 | 10:05:00 | 2000000000000.000000 | 2250000750000.0625000 | 0.0 | 0.0
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 1, 2, 1), (TIMESTAMP '2024-05-01 11:02:00', 2, 3, 1),
  (TIMESTAMP '2024-05-01 11:04:00', 3, 4, 1), (TIMESTAMP '2024-05-01 11:05:00', 4, 4, 1);
--> 1 | 10:00:00 | 2000000000000.000000 | 1000000000000.000000 | 4500001500000.1250000 | 0.0 | 0.0
--> 2 | 11:00:00 | | 0.0000000 | | 0.0
--> 2 | 11:02:00 | 0.500000 | 0.0000000 | 0.5 | 0.5
--> 2 | 11:04:00 | 1.000000 | 0.0000000 | 1.0 | 2.0
--> 2 | 11:05:00 | 1.666667 | 0.0000000 | 1.1666666666666667 | 2.75
!bound s '2024-05-01 12:00:00'
--> 1 | 11:00:00 | 1.666667 | 1.250000 | 0.0000000 | 1.1666666666666667 | 0.875

SELECT DATEDIFF(MAX(rowtime), MIN(rowtime) - INTERVAL '11' HOUR) AS d, DATEDIFF(MIN(rowtime), MAX(rowtime)) AS e FROM s;
--> 3 | 1 | 0
