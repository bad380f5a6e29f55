-- date 2024-05-01
-- A row in whose array a value cannot be converted is set aside, as one in which the value stands alone; the others go on.
CREATE STREAM s (w VARCHAR(5) ARRAY);
CREATE STREAM numbers (a INTEGER ARRAY);
CREATE PUMP p STARTED OPTIONS (on_error 'skip') AS INSERT INTO numbers SELECT STREAM rowtime, CAST(w AS INTEGER ARRAY) FROM s;
SELECT STREAM * FROM numbers;
SELECT /*+ ON_ERROR('skip') */ STREAM rowtime, CAST(w AS INTEGER ARRAY) AS a FROM s;
SELECT /*+ ON_ERROR('null') */ STREAM rowtime, CAST(w AS INTEGER ARRAY) AS a FROM s;

INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', ARRAY['1', NULL]), (TIMESTAMP '2024-05-01 10:01:00', ARRAY['2', 'x']),
  (TIMESTAMP '2024-05-01 10:02:00', NULL);
--> 1 | 10:00:00 | [1,null]
--> 1 | 10:02:00 |
--> 2 | 10:00:00 | [1,null]
--> 2 | 10:02:00 |
--> 3 | 10:00:00 | [1,null]
--> 3 | 10:01:00 |
--> 3 | 10:02:00 |
