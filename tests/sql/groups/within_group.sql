-- Aggregates whose result depends on an order of the rows: WITHIN GROUP.
-- date 2015-02-15
CREATE STREAM Orders (name VARCHAR(10), price DECIMAL(6, 2), units INTEGER) OPTIONS (history 'all');
CREATE VIEW Hours AS
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, LISTAGG(name, '-') WITHIN GROUP (ORDER BY price DESC, name) AS names,
  ARRAY_AGG(name ORDER BY units NULLS FIRST, price DESC) AS listed, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY price) AS p,
  PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY price DESC) AS q, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY units DESC) AS d,
  LISTAGG(name, ',') WITHIN GROUP (ORDER BY name) FILTER (WHERE units > 1) AS few
FROM Orders GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM * FROM Hours;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 'c', 1, 3), (TIMESTAMP '2015-02-15 10:10:00', 'a', 3, 1), (TIMESTAMP '2015-02-15 10:20:00', 'b', 3, NULL);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:30:00', NULL, 2, 2), (TIMESTAMP '2015-02-15 10:40:00', 'd', 5, 1);
-- Prices 1, 2, 3, 3, 5: a quarter of the way is 2 from below, 3 from above. Units 3, 2, 1, 1: half of them are 3 and 2.
!bound Orders '2015-02-15 11:00:00'
--> 1 | 10:00:00 | d-a-b-c | ["b","d","a","c"] | 2.0 | 3.0 | 2 | c
SELECT * FROM Hours;
--> 2 | 10:00:00 | d-a-b-c | ["b","d","a","c"] | 2.0 | 3.0 | 2 | c
