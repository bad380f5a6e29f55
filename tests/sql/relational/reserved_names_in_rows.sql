-- The fields of a ROW may have the names of reserved words, also within arrays, and where the row is that of a changelog.
CREATE TABLE t (id INTEGER, r ROW("ORDER" INTEGER, "VALUE" VARCHAR, n ROW("YEAR" INTEGER) ARRAY));
INSERT INTO t VALUES (1, ROW(5, 'a', ARRAY[ROW(2024)]));
SELECT id, (t.r)."ORDER" AS o, (t.r)."VALUE" AS v, r FROM t;
--> 1 | 1 | 5 | a | {"ORDER":5,"VALUE":"a","N":[{"YEAR":2024}]}
CREATE VIEW v AS SELECT r FROM t;
SELECT (v.r)."ORDER" + 1 AS o FROM v;
--> 2 | 6
CREATE TABLE u ("DATE" VARCHAR, "USER" INTEGER);
INSERT INTO u VALUES ('x', 7);
CREATE VIEW changes AS SELECT STREAM op, payload FROM TO_CHANGELOG(u);
SELECT STREAM op, (c.payload)."USER" AS n FROM changes AS c;
--> 3 | 0 | 7
