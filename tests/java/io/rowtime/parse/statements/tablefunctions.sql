-- The listings of the table functions document
SELECT
  o.oder_id,
   o.order_time,
  o.amount * r.rate AS amount,
  r.currency
FROM orders AS o, versioned_rates FOR SYSTEM_TIME AS OF o.order_time r
on o.currency = r.currency;

SELECT
  o.oder_id,
  o.proctime,
  o.amount * r.rate AS amount,
  r.currency
FROM orders AS o, latest_rates FOR SYSTEM_TIME AS OF o.proctime r
on o.currency = r.currency;

SELECT * FROM table_name FOR SYSTEM_TIME AS OF TIMESTAMP '2012-12-12 12:34:56';

SELECT * FROM table_name FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP;

SELECT * FROM t;

SELECT * FROM t FOR SYSTEM_TIME AS OF NOW();

SELECT NOW() FROM (VALUES 1, 2, 3);

SELECT *, NOW() FROM t1, t2 FOR SYSTEM_TIME AS OF NOW();

SELECT * FROM t1, t2 FOR SYSTEM_TIME AS OF TIMESTAMP '2012-12-12 12:34:56';

SELECT * FROM t1, t2 FOR SYSTEM_TIME AS OF t1.rowtime;

SELECT * FROM t1, t2 FOR SYSTEM_TIME AS OF t1.proctime;

SELECT * FROM t1, t2 FOR SYSTEM_TIME AS OF PROCTIME();

SELECT *
FROM
  t1,
  LATERAL SEARCH_KEY(t2, DESCRIPTOR(k), t1.name);

SELECT *
FROM
  t1,
  t2 FOR SYSTEM_TIME AS OF PROCTIME()
WHERE t1.name = t2.k;

SELECT *
FROM
  t1,
  LATERAL SNAPSHOT(t2, t1.rowtime);

SELECT * FROM SNAPSHOT(t);

SELECT * FROM SNAPSHOT(t1) AS a JOIN SNAPSHOT(t2) AS b ON a.k = b.k;

SELECT * FROM SNAPSHOT(input => t);

SELECT * FROM SNAPSHOT(t, TIMESTAMP '2024-01-20 00:00:00');

SELECT * FROM SNAPSHOT(t, TIMESTAMP '2024-01-20');

SELECT * FROM SNAPSHOT(input => t, to_time => TIMESTAMP '2024-01-20');

SELECT * FROM SNAPSHOT(input => t, from_time => TIMESTAMP '2024-01-20', to_time => TIMESTAMP '2024-01-20');

SELECT * FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name);

SELECT *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k),
    lookup => t_other.name
  );

SELECT *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k),
    lookup => t_other.name,
    options => MAP[
      'async', 'true',
      'retry-predicate', 'lookup_miss',
      'retry-strategy', 'fixed_delay',
      'fixed-delay'='10s'
    ]
  );

SELECT *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k1, k2),
    lookup => (t_other.k1, t_other.k2)
  );

SELECT * FROM t_other LEFT JOIN LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name) AS f ON TRUE;

SELECT * FROM t_other, LATERAL SNAPSHOT(t, t_other.rowtime);

SELECT * FROM t_other, LATERAL SNAPSHOT(input => t, to_time => t_other.rowtime);

SELECT * FROM t_other, LATERAL SNAPSHOT(t);

SELECT * FROM TO_CHANGELOG(t) AS s;

SELECT * FROM FROM_CHANGELOG(s) AS t;

SELECT * FROM TO_CHANGELOG(input => t, on_key => DESCRIPTOR(k));

SELECT payload.* FROM TO_CHANGELOG(t) WHERE op = 0;

SELECT payload.x, s.payload.y, s.payload.* FROM TO_CHANGELOG(t) AS s;

SELECT * FROM FROM_CHANGELOG(TO_CHANGELOG(t)) AS u;

SELECT * FROM TO_CHANGELOG(TABLE t) AS s;

SELECT * FROM TO_CHANGELOG((SELECT a, COUNT(*) AS c FROM t GROUP BY a)) AS s;

SELECT * FROM TO_CHANGELOG(SELECT a, COUNT(*) AS c FROM t GROUP BY a) AS s;

SELECT * FROM f(abs(1));

SELECT * FROM orders AS o JOIN latest_rates FOR SYSTEM_TIME AS OF o.proctime AS r ON o.currency = r.currency, t WHERE o.a = t.a;
