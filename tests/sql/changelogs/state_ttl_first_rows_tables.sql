-- STATE_TTL of first rows: the tables of results are the same however the rows come in steps. In order of ROWTIME, the rows of A make the
-- lives (10:00, 10:40, 11:40), (12:41), (14:00, 14:30), those of B (10:00), (11:00:00.001, 11:30), (14:31), that of NULL (10:30). By hand.

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE TABLE latest (k VARCHAR(10), v INTEGER, PRIMARY KEY (k));
CREATE TABLE changes (op TINYINT, payload ROW(k VARCHAR(10), n BIGINT, v INTEGER));
CREATE TABLE best (v INTEGER, lives BIGINT, PRIMARY KEY (v));
CREATE PUMP p1 STARTED AS INSERT INTO latest
  SELECT STREAM /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1;
CREATE PUMP p2 STARTED AS INSERT INTO changes SELECT STREAM op, payload FROM TO_CHANGELOG((SELECT k, n, v FROM (
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) AS n FROM s) WHERE n <= 2));
CREATE PUMP p3 STARTED AS INSERT INTO best SELECT STREAM v, COUNT(*) FROM (
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) <= 1) GROUP BY v;
CREATE MATERIALIZED VIEW firsts AS
  SELECT /*+ STATE_TTL('s' = '1h') */ k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) = 1;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 5), (TIMESTAMP '2024-05-01 10:00:00', 'b', 1);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:30:00', NULL, 3), (TIMESTAMP '2024-05-01 10:40:00', 'a', NULL);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00.001', 'b', 2), (TIMESTAMP '2024-05-01 11:30:00', 'b', 2);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:40:00', 'a', 2);
!bound s '2024-05-01 12:41:00'
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 12:41:00', 'a', 9);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 14:00:00', 'a', 1), (TIMESTAMP '2024-05-01 14:30:00', 'a', NULL);
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 14:31:00', 'b', NULL);
!bound s '2024-05-01 18:00:00'

SELECT * FROM latest ORDER BY k;
--> 1 | a |
--> 1 | b |
--> 1 |   | 3
SELECT k, n, v FROM FROM_CHANGELOG(changes) ORDER BY k, n, v;
--> 2 | a | 1 | 1
--> 2 | a | 1 | 5
--> 2 | a | 1 | 9
--> 2 | a | 2 | 2
--> 2 | a | 2 |
--> 2 | b | 1 | 1
--> 2 | b | 1 | 2
--> 2 | b | 1 |
--> 2 | b | 2 | 2
--> 2 |   | 1 | 3
SELECT * FROM best ORDER BY v;
--> 3 | 1 | 2
--> 3 | 2 | 1
--> 3 | 3 | 1
--> 3 | 5 | 1
--> 3 | 9 | 1
--> 3 |   | 1
SELECT * FROM firsts ORDER BY k;
--> 4 | a | 1
--> 4 | b |
--> 4 |   | 3
