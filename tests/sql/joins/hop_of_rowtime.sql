-- date 2015-02-15
-- HOP by the ROWTIME of a join, without a relation before it: the time of the later of the two rows.

CREATE STREAM orders (id INTEGER);
CREATE STREAM shipments (id INTEGER);

SELECT STREAM HOP_END(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) AS rowtime, COUNT(*) AS c
FROM orders JOIN shipments OVER (RANGE INTERVAL '1' HOUR PRECEDING) USING (id)
GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE);
SELECT STREAM HOP_END(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) AS rowtime, o.id, COUNT(*) AS c
FROM orders AS o JOIN shipments OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS s ON o.id = s.id WHERE o.id > 1
GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE), o.id;

INSERT INTO shipments VALUES (TIMESTAMP '2015-02-15 10:00:10', 1), (TIMESTAMP '2015-02-15 10:00:20', 2);
INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:30', 1), (TIMESTAMP '2015-02-15 10:01:30', 2);
!bound shipments '2015-02-15 10:05:00'
--> 1 | 10:01:00 | 1
!bound orders '2015-02-15 10:05:00'
--> 1 | 10:02:00 | 2
--> 1 | 10:03:00 | 1
--> 2 | 10:02:00 | 2 | 1
--> 2 | 10:03:00 | 2 | 1
