-- STATE_TTL: the tables of results are the same however the rows come in steps. In order of ROWTIME, the rows of A make the lives
-- (10:00, 10:40, 11:40), (12:41), (14:00, 14:30), those of B (10:00), (11:00:00.001, 11:30), (14:31), that of NULL (10:30).

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), v INTEGER);
CREATE TABLE latest (k VARCHAR(10), n BIGINT, total BIGINT, top INTEGER, PRIMARY KEY (k));
CREATE TABLE changes (op TINYINT, payload ROW(k VARCHAR(10), n BIGINT));
CREATE TABLE lives (n BIGINT, lives BIGINT, PRIMARY KEY (n));
CREATE PUMP p1 STARTED AS INSERT INTO latest SELECT STREAM /*+ STATE_TTL('s' = '1h') */ k, COUNT(*), SUM(v), MAX(v) FROM s GROUP BY k;
CREATE PUMP p2 STARTED AS INSERT INTO changes SELECT STREAM op, payload FROM TO_CHANGELOG((
  SELECT /*+ STATE_TTL('s' = '1h') */ k, COUNT(*) AS n FROM s GROUP BY k));
CREATE PUMP p3 STARTED AS INSERT INTO lives SELECT STREAM n, COUNT(*) FROM (
  SELECT /*+ STATE_TTL('s' = '1h') */ k, COUNT(*) AS n FROM s GROUP BY k) GROUP BY n;
CREATE MATERIALIZED VIEW seen AS SELECT /*+ STATE_TTL('s' = '1h') */ DISTINCT k FROM s;

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
--> 1 | a | 2 | 1 | 1
--> 1 | b | 1 |   |
--> 1 |   | 1 | 3 | 3
SELECT k, n FROM FROM_CHANGELOG(changes) ORDER BY k, n;
--> 2 | a | 1
--> 2 | a | 2
--> 2 | a | 3
--> 2 | b | 1
--> 2 | b | 1
--> 2 | b | 2
--> 2 |   | 1
SELECT * FROM lives ORDER BY n;
--> 3 | 1 | 4
--> 3 | 2 | 2
--> 3 | 3 | 1
SELECT * FROM seen ORDER BY k;
--> 4 | a
--> 4 | b
--> 4 |
