-- The script that docs/images/plan.png shows; tools/pictures makes it.
CREATE STREAM shop (productId INTEGER, units INTEGER);
CREATE STREAM web (productId INTEGER, units INTEGER);
SELECT STREAM productId, COUNT(*) FROM web GROUP BY productId;

SELECT STREAM
  FLOOR(rowtime TO HOUR) AS rowtime,
  productId,
  SUM(units) AS units
FROM (
  SELECT STREAM * FROM shop
  UNION ALL
  SELECT STREAM * FROM web
)
WHERE units > 0
GROUP BY FLOOR(rowtime TO HOUR), productId;
