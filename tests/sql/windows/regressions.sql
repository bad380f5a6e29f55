-- Covariances and regressions over sliding windows of a stream. A pair with a NULL does not count. Values by DuckDB.
-- date 2024-05-01
CREATE STREAM S (y DOUBLE, x DOUBLE) OPTIONS (history 'all');

SELECT STREAM rowtime, REGR_COUNT(y, x) OVER w AS n, COVAR_POP(y, x) OVER w AS p, COVAR_SAMP(y, x) OVER w AS s,
    REGR_SXX(y, x) OVER w AS xx, REGR_SYY(y, x) OVER w AS yy
FROM S WINDOW w AS (RANGE INTERVAL '2' MINUTE PRECEDING);

INSERT INTO S VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 2);
--> 1 | 10:00:00 | 1 | 0.0 | | 0.0 | 0.0
INSERT INTO S VALUES (TIMESTAMP '2024-05-01 10:01:00', 2, 4);
--> 1 | 10:01:00 | 2 | 0.5 | 1.0 | 2.0 | 0.5
INSERT INTO S VALUES (TIMESTAMP '2024-05-01 10:02:00', NULL, 5);
--> 1 | 10:02:00 | 2 | 0.5 | 1.0 | 2.0 | 0.5
INSERT INTO S VALUES (TIMESTAMP '2024-05-01 10:03:00', 4, 9), (TIMESTAMP '2024-05-01 10:04:00', 7, NULL);
--> 1 | 10:03:00 | 2 | 2.5 | 5.0 | 12.5 | 2.0
--> 1 | 10:04:00 | 1 | 0.0 | | 0.0 | 0.0

-- The same of what is there.
SELECT rowtime, REGR_COUNT(y, x) OVER w AS n, COVAR_POP(y, x) OVER w AS p, COVAR_SAMP(y, x) OVER w AS s,
    REGR_SXX(y, x) OVER w AS xx, REGR_SYY(y, x) OVER w AS yy
FROM S WINDOW w AS (RANGE INTERVAL '2' MINUTE PRECEDING);
--> 2 | 10:00:00 | 1 | 0.0 | | 0.0 | 0.0
--> 2 | 10:01:00 | 2 | 0.5 | 1.0 | 2.0 | 0.5
--> 2 | 10:02:00 | 2 | 0.5 | 1.0 | 2.0 | 0.5
--> 2 | 10:03:00 | 2 | 2.5 | 5.0 | 12.5 | 2.0
--> 2 | 10:04:00 | 1 | 0.0 | | 0.0 | 0.0
