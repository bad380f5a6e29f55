-- INSERT … SELECT: of a relation it is one step; of a stream it goes on, as a pump without a name, until the script ends.
-- date 2006-09-11
CREATE STREAM a (n INTEGER) OPTIONS (history 'all');
CREATE STREAM b (n INTEGER, twice INTEGER);
CREATE TABLE t (n INTEGER, v VARCHAR(10) DEFAULT 'none');
SELECT STREAM * FROM b;
INSERT INTO b SELECT STREAM rowtime, n, n * 2 FROM a WHERE n > 1;

INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 10:01:00', 2);
--> 1 | 10:01:00 | 2 | 4
INSERT INTO t (n) SELECT n FROM a;
SELECT * FROM t ORDER BY n;
--> 2 | 1 | none
--> 2 | 2 | none
!bound a '2006-09-11 10:05:00'
--> bound b 10:05:00
INSERT EXPEDITED INTO a VALUES (TIMESTAMP '2006-09-11 10:06:00', 3);
--> 1 | 10:06:00 | 3 | 6
