-- EXPLAIN says what a change of the catalog does, and does nothing. A pump goes on when its target gets a column that
-- its INSERT does not name.
-- date 2024-05-01
CREATE STREAM s (a INTEGER) OPTIONS (history 'all');
CREATE STREAM copy (a INTEGER) OPTIONS (history 'all');
CREATE STREAM u (n INTEGER) OPTIONS (history 'all');
CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM rowtime, a FROM s;
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1);
EXPLAIN ALTER STREAM copy ADD COLUMN b INTEGER DEFAULT 7;
--> shown Stream 'COPY' gets the column B INTEGER: NULL in the rows that it has, and 7 in those that come without a value
--> shown Stream 'COPY' keeps its rows
--> shown Pump 'P' goes on from its position and state
ALTER STREAM copy ADD COLUMN b INTEGER DEFAULT 7;
EXPLAIN ALTER STREAM s ALTER COLUMN a TYPE BIGINT;
--! 14:22 RT0303 'S' is used by PUMP 'P' (values may not fit where it writes them): its columns cannot be changed
EXPLAIN ALTER STREAM s ADD COLUMN c INTEGER;
--> shown Stream 'S' gets the column C INTEGER: NULL in the rows that it has
--> shown Stream 'S' keeps its rows
--> shown Pump 'P' goes on from its position and state
EXPLAIN ALTER PUMP p STOP;
--> shown Pump 'P' ends its query, keeps its position, and leaves its target
EXPLAIN ALTER PUMP p START RESET FROM EARLIEST ALLOW DUPLICATES;
--> shown Pump 'P' drops nothing, and reads all rows again that its sources still have
EXPLAIN CREATE OR REPLACE STREAM u (m INTEGER) OPTIONS (history 'all') DROP ROWS;
--> shown Stream 'U' gets the column M INTEGER
--> shown Stream 'U' loses the column N, with its values
--> shown Stream 'U' loses its rows
INSERT INTO u VALUES (TIMESTAMP '2024-05-01 10:00:00', 5);
EXPLAIN CREATE OR REPLACE STREAM u (n INTEGER) OPTIONS (history '1 HOUR');
--> shown RT0341: 'U' would lose rows: its history was 'all' and becomes '1 HOUR'
--> shown   hint: To delete those before the new history, add DROP ROWS; to keep them, leave the option as it is
CREATE VIEW v AS SELECT STREAM rowtime, n FROM u;
CREATE PUMP r STARTED AS INSERT INTO copy (rowtime, a) SELECT STREAM rowtime, n FROM v;
EXPLAIN CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, n FROM u WHERE n > 5;
--> shown Pump 'R' goes on with the new query of view 'V'
--> shown project ROWTIME, N
--> shown │   state: none
--> shown └─ filter N > 5
--> shown    │   state: none
--> shown    └─ scan U (stream, read as a stream)
--> shown           ROWTIME *  TIMESTAMP(3) NOT NULL  increasing
--> shown           N          INTEGER
--> shown           state: none
EXPLAIN CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, a AS n FROM s;
--> shown RT0516: View 'V' is read by pump 'R', whose saved state would not fit: it reads other sources
--> shown   hint: ALTER PUMP R STOP first; afterwards, ALTER PUMP R START RESET … says where it starts with new state
--> shown project ROWTIME, A AS N
--> shown │   ROWTIME *  TIMESTAMP(3) NOT NULL  increasing
--> shown │   N          INTEGER
--> shown │   state: none
--> shown └─ scan S (stream, read as a stream)
--> shown        ROWTIME *  TIMESTAMP(3) NOT NULL  increasing
--> shown        A          INTEGER
--> shown        state: none
DROP PUMP r;
EXPLAIN DROP PUMP p;
--> shown Pump 'P' is dropped, with its state and its position
INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:05:00', 2);
SELECT a, b FROM copy;
--> 1 | 1 |
--> 1 | 2 | 7
