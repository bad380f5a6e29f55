-- Functions and operators of Spark SQL and MySQL that standard SQL has not, or says in other words.

CREATE TABLE pairs (a INTEGER, b INTEGER);
INSERT INTO pairs VALUES (1, 1), (1, 2), (1, NULL), (NULL, NULL);

-- a <=> b is a IS NOT DISTINCT FROM b: TRUE or FALSE, never NULL. NOT and AND bind less tightly.
SELECT a, b, a <=> b AS x, NOT a <=> b AS y, a = 1 AND b <=> 2 AS z FROM pairs ORDER BY a, b NULLS FIRST;
--> 1 | 1 |  | FALSE | TRUE | FALSE
--> 1 | 1 | 1 | TRUE | FALSE | FALSE
--> 1 | 1 | 2 | FALSE | TRUE | TRUE
--> 1 |  |  | TRUE | FALSE | FALSE

SELECT p.a, p.b, q.b AS other FROM pairs AS p JOIN pairs AS q ON p.a <=> q.b WHERE p.b <=> NULL AND q.a = 1 ORDER BY other;
--> 2 | 1 |  | 1
--> 2 |  |  |

CREATE STREAM ticks (a INTEGER, b INTEGER);
SELECT STREAM a, b FROM ticks WHERE a <=> b;
INSERT INTO ticks (ROWTIME, a, b) VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 2), (TIMESTAMP '2024-05-01 10:00:01', NULL, NULL);
--> 3 | |

-- The examples of Spark's documentation: below the range is 0, above it the number of buckets plus 1.
SELECT WIDTH_BUCKET(5.3, 0.2, 10.6, 5) AS a, WIDTH_BUCKET(-2.1, 1.3, 3.4, 3) AS b, WIDTH_BUCKET(8.1, 0.0, 5.7, 4) AS c,
    WIDTH_BUCKET(-0.9, 5.2, 0.5, 2) AS d, WIDTH_BUCKET(a, 0, 10, 0) AS e, WIDTH_BUCKET(b, 0, 10, 5) AS f
FROM pairs WHERE b = 2;
--> 4 | 3 | 0 | 5 | 3 |  | 2

-- Another one for each row; it is computed once for a row.
SELECT COUNT(DISTINCT id) AS "different", MIN(CHAR_LENGTH(id)) AS l, COUNT(*) FILTER (WHERE id = again) AS same
FROM (SELECT id, id AS again FROM (SELECT UUID() AS id FROM pairs));
--> 5 | 4 | 36 | 4

-- UUID and WIDTH_BUCKET are no reserved words.
CREATE TABLE devices (uuid VARCHAR, width_bucket INTEGER);
INSERT INTO devices VALUES ('d1', 7);
SELECT uuid, d.width_bucket FROM devices AS d;
--> 6 | d1 | 7
