-- What SEARCH_KEY cannot be given: arguments, keys, types, options, tables and places.
CREATE STREAM s (x INTEGER, y VARCHAR(50), d DECIMAL(10, 2));
CREATE TABLE t (k INTEGER, a INTEGER ARRAY);
CREATE VIEW v AS SELECT k FROM t;
CREATE FOREIGN TABLE p (id INTEGER, name VARCHAR(20)) OPTIONS (connector 'jdbc', url 'jdbc:sqlite:x.db', table 'products');
CREATE FOREIGN TABLE f (id INTEGER) OPTIONS (connector 'files', path 'x', format 'csv');
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id));
--! 7:33 RT0127 SEARCH_KEY needs lookup, the value to search for
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, lookup => s.x);
--! 9:33 RT0127 SEARCH_KEY needs on_key, the columns of the table to search
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(on_key => DESCRIPTOR(id), lookup => s.x);
--! 11:33 RT0120 SEARCH_KEY needs a table to read
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), key => s.x);
--! 13:63 RT0120 SEARCH_KEY has no parameter 'KEY'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(nix), s.x);
--! 15:58 RT0112 Column 'NIX' not found in the table
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.y);
--! 17:33 RT0127 The column ID is INTEGER, but the lookup value is VARCHAR(50)
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.d);
--! 19:33 RT0127 The column ID is INTEGER, but the lookup value is DECIMAL(10, 2)
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), (s.x, s.y));
--! 21:63 RT0127 The key has 1 column, and lookup 2 values
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id, name), s.x);
--! 23:33 RT0127 The key has 2 columns, and lookup 1 value
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id, id), (s.x, s.x));
--! 25:62 RT0127 The key has column 'ID' twice
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, id, s.x);
--! 27:47 RT0127 on_key of SEARCH_KEY must be a DESCRIPTOR of columns of the table
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(t, DESCRIPTOR(a), s.x);
--! 29:33 RT0127 The column A is INTEGER ARRAY, which cannot be the type of a key
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(v, DESCRIPTOR(k), s.x);
--! 31:33 RT0129 A view or a query has no keys by which to look up rows
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(s, DESCRIPTOR(x), s.x);
--! 33:33 RT0129 'S' is a stream, but SEARCH_KEY looks up rows only in tables
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(f, DESCRIPTOR(id), s.x);
--! 35:33 RT0129 The connector 'files' of 'F' cannot look up rows by key
SELECT STREAM * FROM s, LATERAL SEARCH_KEY((SELECT * FROM p), DESCRIPTOR(id), s.x);
--! 37:44 RT0127 SEARCH_KEY looks up rows in a table, but this is not a table
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), s.x, MAP['async', 'true']);
--! 39:33 RT0128 'T' is a table of the warehouse, of which a query reads one version: there is nothing to time out, to try again or to cache
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['asynch', 'true']);
--! 41:72 RT0128 SEARCH_KEY has no option 'asynch'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['async', 'yes']);
--! 43:81 RT0128 The option 'async' cannot be 'yes'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['fixed-delay' = '10s']);
--! 45:72 RT0128 The option 'fixed-delay' has no effect here: it belongs to 'retry-predicate', 'lookup_miss'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['capacity', '10']);
--! 47:72 RT0128 The option 'capacity' has no effect here: statements are sent at once only with 'async', 'true'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['cache-max-rows', '10']);
--! 49:72 RT0128 The option 'cache-max-rows' has no effect here: it belongs to 'cache-ttl', without which nothing is cached
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['cache-ttl', '10 parsecs']);
--! 51:85 RT0128 The option 'cache-ttl' cannot be '10 parsecs'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['batch-size', '0']);
--! 53:86 RT0128 The option 'batch-size' cannot be '0'
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['async', s.y]);
--! 55:81 RT0128 Options and their values are character strings
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, MAP['async', 'true', 'async', 'false']);
--! 57:89 RT0128 The option 'async' is given twice
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x, 'async');
--! 59:68 RT0128 options takes a MAP of constants
SELECT STREAM * FROM SEARCH_KEY(p, DESCRIPTOR(id), 5);
--! 61:22 RT0102 Cannot stream the result of SEARCH_KEY: it is looked up once
SELECT STREAM s.x, (SELECT f.name FROM SEARCH_KEY(p, DESCRIPTOR(id), s.x) AS f) AS n FROM s;
--! 63:40 RT0127 SEARCH_KEY is not allowed here
SELECT STREAM * FROM s WHERE EXISTS (SELECT * FROM SEARCH_KEY(p, DESCRIPTOR(id), s.x));
--! 65:52 RT0127 SEARCH_KEY is not allowed here
SELECT STREAM * FROM s LEFT JOIN LATERAL (SELECT UPPER(name) AS u FROM SEARCH_KEY(p, DESCRIPTOR(id), s.x)) AS f ON TRUE;
--! 67:72 RT0127 The right side of a LEFT JOIN computes columns that SEARCH_KEY does not return
SELECT STREAM * FROM s RIGHT JOIN LATERAL SEARCH_KEY(p, DESCRIPTOR(id), s.x) AS f ON TRUE;
--! 69:43 RT0127 SEARCH_KEY finds rows for those on its left, so none of its own come without one
CREATE FOREIGN TABLE d (id INTEGER) OPTIONS (connector 'delta', path 'x');
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(d, DESCRIPTOR(id), s.x, MAP['async', 'true', 'cache-ttl', '1min']);
--! 72:33 RT0128 'D' is a Delta table, which is read once for all keys of a micro-batch: there are no statements to send at once, to time out or to try again
SELECT STREAM * FROM s, LATERAL SEARCH_KEY(d, DESCRIPTOR(id), s.x, MAP['retry-predicate', 'lookup_miss']);
--! 74:33 RT0128 'D' is a Delta table, of which all look-ups of a micro-batch see one version: a key without a row has none in the next attempt either
