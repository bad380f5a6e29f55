-- States of table functions that end one by one, in Java and in Python: what was written at a ROWTIME is there until ten minutes
-- later, and not at that time. Values below 10 count in "n", those below 20 are in the list, and the map has the latest value of
-- each ten. Each write of the value or the list gives it a new end; each entry of the map has an end of its own. The timer "after"
-- comes ten minutes after the latest row of a key: everything has ended then.
-- date 2015-02-15
CREATE STREAM s (k VARCHAR, v INTEGER) OPTIONS (history 'all');
CREATE FUNCTION recent (input TABLE, live INTERVAL DAY TO SECOND) RETURNS TABLE (n INTEGER, vs VARCHAR, latest VARCHAR)
  LANGUAGE JAVA AS 'examples.Recent';
CREATE FUNCTION recent_py (input TABLE, live INTERVAL DAY TO SECOND) RETURNS TABLE (n INTEGER, vs VARCHAR, latest VARCHAR)
  LANGUAGE PYTHON AS 'process_functions:Recent';

SELECT STREAM * FROM recent(TABLE s PARTITION BY k, INTERVAL '10' MINUTE);
SELECT STREAM * FROM recent_py(TABLE s PARTITION BY k, INTERVAL '10' MINUTE);

INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1), (TIMESTAMP '2015-02-15 10:00:00', 'b', 2),
  (TIMESTAMP '2015-02-15 10:04:00', 'a', 13);
--> 1 | 10:00:00 | a | 1 | 1 | 0:1
--> 1 | 10:00:00 | b | 1 | 2 | 0:2
--> 1 | 10:04:00 | a | 1 | 1 13 | 0:1 1:13
--> 2 | 10:00:00 | a | 1 | 1 | 0:1
--> 2 | 10:00:00 | b | 1 | 2 | 0:2
--> 2 | 10:04:00 | a | 1 | 1 13 | 0:1 1:13
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:09:59.999', 'a', 25);
--> 1 | 10:09:59.999 | a | 1 | 1 13 | 0:1 1:13 2:25
--> 2 | 10:09:59.999 | a | 1 | 1 13 | 0:1 1:13 2:25
-- At 10:10 the value of a and the entry 0 have ended; the list was written last at 10:04.
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:10:00', 'a', 26);
--> 1 | 10:10:00 | a | 0 | 1 13 | 1:13 2:26
--> 1 | 10:10:00 | b | 0 | - | -
--> 2 | 10:10:00 | a | 0 | 1 13 | 1:13 2:26
--> 2 | 10:10:00 | b | 0 | - | -
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:14:00', 'a', 3);
--> 1 | 10:14:00 | a | 1 | 3 | 2:26 0:3
--> 2 | 10:14:00 | a | 1 | 3 | 2:26 0:3
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:23:59.999', 'a', 4);
--> 1 | 10:23:59.999 | a | 2 | 3 4 | 0:4
--> 2 | 10:23:59.999 | a | 2 | 3 4 | 0:4
INSERT INTO s (rowtime, k, v) VALUES (TIMESTAMP '2015-02-15 10:33:59.998', 'a', 35), (TIMESTAMP '2015-02-15 10:50:00', 'b', 40);
--> 1 | 10:33:59.998 | a | 2 | 3 4 | 0:4 3:35
--> 1 | 10:43:59.998 | a | 0 | - | -
--> 1 | 10:50:00 | b | 0 | - | 4:40
--> 2 | 10:33:59.998 | a | 2 | 3 4 | 0:4 3:35
--> 2 | 10:43:59.998 | a | 0 | - | -
--> 2 | 10:50:00 | b | 0 | - | 4:40

-- The same rows of the relation; after the last row, all timers are due.
SELECT * FROM recent(TABLE s PARTITION BY k, INTERVAL '10' MINUTE) WHERE k = 'b' ORDER BY rowtime;
--> 3 | 10:00:00 | b | 1 | 2 | 0:2
--> 3 | 10:10:00 | b | 0 | - | -
--> 3 | 10:50:00 | b | 0 | - | 4:40
--> 3 | 11:00:00 | b | 0 | - | -
SELECT COUNT(*) AS c, SUM(n) AS n, MAX(latest) AS latest FROM recent(TABLE s PARTITION BY k, INTERVAL '10' MINUTE);
--> 4 | 12 | 9 | 4:40
SELECT COUNT(*) AS c, SUM(n) AS n, MAX(latest) AS latest FROM recent_py(TABLE s PARTITION BY k, INTERVAL '10' MINUTE);
--> 5 | 12 | 9 | 4:40
