-- BINARY(n) and VARBINARY(n) cut off what is longer; BINARY pads with zeros. So does an INSERT, also within an ARRAY, and a
-- query of a stream. Without a length, BINARY has one byte, and VARBINARY any number.
CREATE TABLE given (id INTEGER, v VARBINARY);
INSERT INTO given VALUES (1, X'0102FF'), (2, X'01'), (3, X''), (4, NULL);
CREATE TABLE t (id INTEGER, x VARBINARY(2), y BINARY(2), a BINARY(2) ARRAY);
INSERT INTO t SELECT id, v, v, ARRAY[v] FROM given;
SELECT * FROM t ORDER BY id;
--> 1 | 1 | 0102 | 0102 | ["0102"]
--> 1 | 2 | 01 | 0100 | ["0100"]
--> 1 | 3 | | 0000 | ["0000"]
--> 1 | 4 | | | [null]
SELECT id, CAST(v AS BINARY), CAST(v AS VARBINARY(3)), CAST(CAST(v AS BINARY(2)) AS VARBINARY(1)) FROM given WHERE id <= 2 ORDER BY id;
--> 2 | 1 | 01 | 0102FF | 01
--> 2 | 2 | 01 | 01 | 01
SELECT COUNT(*) FROM given WHERE CAST(v AS BINARY(3)) = X'010000';
--> 3 | 1
CREATE STREAM s (v VARBINARY);
SELECT STREAM CAST(v AS BINARY(2)) AS y FROM s;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', X'0102FF'), (TIMESTAMP '2024-05-01 10:00:01', X'01');
--> 4 | 0102
--> 4 | 0100
